import {
  Announced,
  Button,
  ButtonLink,
  Card,
  ErrorPanel,
  english,
  Logo,
  type PortalApi,
  Statement,
  Surface,
  Text,
  TextLink,
  Title,
  useFocusReturn,
  useOneCall,
} from '@gatehouse/sign-in'
import { useReducer, useRef } from 'react'
import { failureMessage } from './failure-message.ts'
import { type CodeDevice, RecoveryCodeList } from './recovery-code-list.tsx'
import styles from './recovery-codes-page.module.css'
import { notShown, recoveryCodes } from './recovery-codes-state.ts'
import { useAwake } from './use-awake.ts'

/** What the server tells: where the person was going. */
export type RecoveryCodesProps = { dashboardUrl: string }

export const isRecoveryCodesProps = (props: unknown): props is RecoveryCodesProps =>
  typeof props === 'object' && props !== null && 'dashboardUrl' in props && typeof props.dashboardUrl === 'string'

type RecoveryCodesPageProps = RecoveryCodesProps &
  CodeDevice & {
    api: Pick<PortalApi, 'userRecoveryCodes'>
  }

const words = english.recoveryCodes

/** Shows the ten codes once they are asked for, on the way to the dashboard. */
export const RecoveryCodesPage = ({ dashboardUrl, api, ...device }: RecoveryCodesPageProps) => {
  const [state, dispatch] = useReducer(recoveryCodes, notShown)
  const button = useRef<HTMLButtonElement>(null)
  const call = useOneCall(dispatch)
  const awake = useAwake()
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
      <Card logo={<Logo />} wide={state.is === 'Shown'}>
        {state.is === 'Shown' ? (
          <Shown {...device} codes={state.codes} dashboardUrl={dashboardUrl} />
        ) : (
          <Statement
            title={words.title}
            actions={
              <>
                <ErrorPanel title={english.unexpected.title} message={state.is === 'NotShownWithError' ? state.message : undefined} />
                <Button
                  ref={button}
                  look="primary"
                  aria-disabled={awake ? undefined : true}
                  progress={asking ? 'running' : undefined}
                  onClick={() => void show()}
                >
                  {asking ? words.showing : words.show}
                </Button>
                <Announced>{asking && words.showing}</Announced>
                <div className={styles.later}>
                  <TextLink href={dashboardUrl}>{words.later}</TextLink>
                </div>
              </>
            }
          >
            {words.text}
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
      <Title focused>{words.shownTitle}</Title>
      <Text>{words.shownText}</Text>
      <RecoveryCodeList codes={codes} save={save} print={print} />
      <div className={styles.saved}>
        <ButtonLink look="primary" href={dashboardUrl}>
          {words.saved}
        </ButtonLink>
      </div>
    </>
  )
}
