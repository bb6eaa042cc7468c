import { Button } from '@gatehouse/ui/buttons/button.tsx'
import { Text } from '@gatehouse/ui/layout/statement.tsx'
import { useEffect, useRef } from 'react'
import { ActWindow } from '../../actions/action-dialog.tsx'
import { ActForm } from '../../actions/action-form.tsx'
import { type SectionProps, useOwnAct } from '../../actions/use-action.ts'
import type { PortalApi } from '../../calls/portal-api.ts'
import { englishAccount } from '../../messages/en-account.ts'
import { type CodeDevice, RecoveryCodeList } from '../recovery-code-list.tsx'
import { Act, Row, Rows, Section } from '../section.tsx'
import styles from './recovery-section.module.css'

type What = { is: 'Make' } | { is: 'Shown'; codes: string[] }

export type RecoveryProps = SectionProps &
  CodeDevice & {
    left: number
    hasFactor: boolean
    mayChangeFactors: boolean
    api: Pick<PortalApi, 'userRecoveryCodesAnew'>
  }

const words = englishAccount.recovery

/** How many recovery codes are left, and new ones in their place. */
export const RecoverySection = (props: RecoveryProps) => {
  const { left, hasFactor, mayChangeFactors, username, api } = props
  const act = useOwnAct<What>(props)

  const make = () =>
    void act.start(async signal => {
      const reply = await api.userRecoveryCodesAnew(signal)
      return reply.ok ? { next: { is: 'Shown', codes: reply.value.recoveryCodes } } : { failure: reply.failure }
    })

  return (
    <Section
      id="recovery-codes"
      title={words.heading}
      act={hasFactor && mayChangeFactors && <Act label={words.open} onClick={() => act.choose({ is: 'Make' })} />}
    >
      <Rows>
        <Row name={hasFactor ? words.left(left) : words.first} />
      </Rows>
      <ActWindow act={act} username={username} title={what => (what.is === 'Make' ? words.title : words.shownTitle)}>
        {(what, { problem, isRunning }) =>
          what.is === 'Make' ? (
            <ActForm
              text={words.text}
              submit={words.submit}
              running={isRunning ? words.running : undefined}
              problem={problem}
              onSubmit={make}
              onEdit={act.edit}
              onCancel={act.close}
            />
          ) : (
            <Shown codes={what.codes} save={props.save} print={props.print} onSaved={act.close} />
          )
        }
      </ActWindow>
    </Section>
  )
}

const Shown = ({ codes, save, print, onSaved }: CodeDevice & { codes: string[]; onSaved: () => void }) => {
  const place = useRef<HTMLDivElement>(null)
  useEffect(() => place.current?.focus(), [])
  return (
    <div className={styles.shown} ref={place} tabIndex={-1}>
      <Text>{words.done}</Text>
      <RecoveryCodeList codes={codes} save={save} print={print} />
      <div className={styles.saved}>
        <Button look="primary" onClick={onSaved}>
          {words.saved}
        </Button>
      </div>
    </div>
  )
}
