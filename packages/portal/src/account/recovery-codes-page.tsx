import { Button, ButtonLink, TextLink } from '@gatehouse/ui/buttons/button.tsx'
import { Form } from '@gatehouse/ui/fields/form.tsx'
import { useFocusReturn } from '@gatehouse/ui/hooks/use-focus-return.ts'
import { useSingleCall } from '@gatehouse/ui/hooks/use-single-call.ts'
import { Card } from '@gatehouse/ui/layout/card.tsx'
import { Statement, Text, Title } from '@gatehouse/ui/layout/statement.tsx'
import { Surface } from '@gatehouse/ui/layout/surface.tsx'
import { Announced } from '@gatehouse/ui/status/announced.tsx'
import { ErrorPanel } from '@gatehouse/ui/status/error-panel.tsx'
import type { RecoveryCodesProps } from '@gatehouse/wire/page-props'
import { useReducer, useRef } from 'react'
import { BrandLogo } from '../brand-logo.tsx'
import type { PortalApi } from '../calls/portal-api.ts'
import { failureMessage } from '../failure-message.ts'
import { portalTexts, signInTexts } from '../messages/current.ts'
import { type CodeDevice, RecoveryCodeList } from './recovery-code-list.tsx'
import styles from './recovery-codes-page.module.css'
import { notShown, recoveryCodes } from './recovery-codes-state.ts'

export const isRecoveryCodesProps = (props: unknown): props is RecoveryCodesProps =>
  typeof props === 'object' &&
  props !== null &&
  'dashboardUrl' in props &&
  typeof props.dashboardUrl === 'string' &&
  (!('codes' in props) || isCodes(props.codes))

const isCodes = (codes: unknown) => Array.isArray(codes) && codes.every(code => typeof code === 'string')

type RecoveryCodesPageProps = RecoveryCodesProps &
  CodeDevice & {
    api: Pick<PortalApi, 'userRecoveryCodes'>
  }

const words = () => portalTexts.recoveryCodes

/** Shows the ten codes on request, before the dashboard opens. */
export const RecoveryCodesPage = ({ dashboardUrl, codes, api, ...device }: RecoveryCodesPageProps) => {
  const [state, dispatch] = useReducer(recoveryCodes, codes ? { is: 'Shown', codes } : notShown)
  const button = useRef<HTMLButtonElement>(null)
  const call = useSingleCall(dispatch)
  const asking = state.is === 'Asking'

  useFocusReturn(asking, () => button.current?.focus())

  const show = async () => {
    if (call.isRunning()) return
    const signal = call.begin()
    dispatch({ type: 'asked' })
    const reply = await api.userRecoveryCodes(signal)
    if (signal.aborted) return
    call.end()
    dispatch(reply.ok ? { type: 'told', codes: reply.value.recoveryCodes } : { type: 'failed', message: failureMessage(reply.failure) })
  }

  return (
    <Surface>
      <Card logo={<BrandLogo />} wide={state.is === 'Shown'}>
        {state.is === 'Shown' ? (
          <Shown {...device} codes={state.codes} dashboardUrl={dashboardUrl} />
        ) : (
          <Statement
            title={words().title}
            actions={
              <>
                <ErrorPanel title={signInTexts.unexpected.title} message={state.is === 'NotShownWithError' ? state.message : undefined} />
                <Form send={() => void show()}>
                  <Button ref={button} look="primary" type="submit" progress={asking ? 'running' : undefined}>
                    {asking ? words().showing : words().show}
                  </Button>
                </Form>
                <Announced>{asking && words().showing}</Announced>
                <div className={styles.later}>
                  <TextLink href={dashboardUrl}>{words().later}</TextLink>
                </div>
              </>
            }
          >
            {words().text}
          </Statement>
        )}
      </Card>
    </Surface>
  )
}

type ShownProps = Pick<RecoveryCodesPageProps, 'dashboardUrl' | 'save' | 'print'> & { codes: string[] }

const Shown = ({ codes, dashboardUrl, save, print }: ShownProps) => {
  return (
    <>
      <Title focused>{words().shownTitle}</Title>
      <Text>{words().shownText}</Text>
      <RecoveryCodeList codes={codes} save={save} print={print} />
      <div className={styles.saved}>
        <ButtonLink look="primary" href={dashboardUrl}>
          {words().saved}
        </ButtonLink>
      </div>
    </>
  )
}
