import { Button, LinkButton } from '@gatehouse/ui/buttons/button.tsx'
import { CopyButton } from '@gatehouse/ui/buttons/copy-button.tsx'
import { Field } from '@gatehouse/ui/fields/field.tsx'
import { useFocusReturn } from '@gatehouse/ui/hooks/use-focus-return.ts'
import { Statement, Text, Title } from '@gatehouse/ui/layout/statement.tsx'
import { Announced } from '@gatehouse/ui/status/announced.tsx'
import { ErrorPanel } from '@gatehouse/ui/status/error-panel.tsx'
import { useRef, useState } from 'react'
import { fieldProblem } from '../actions/field-problem.ts'
import { failureMessage } from '../failure-message.ts'
import { portalTexts, signInTexts, approverTexts as words } from '../messages/current.ts'
import styles from './approver.module.css'
import type { ApproverApi } from './approver-api.ts'
import type { EnrolmentLink } from './enrolment-link.ts'
import type { PhoneAccount } from './phone-accounts.ts'
import type { PhoneDevice } from './phone-device.ts'
import { makeKey } from './phone-key.ts'

type EnrolViewProps = {
  link: EnrolmentLink
  /** The opened link. */
  address: string
  api: Pick<ApproverApi, 'enrol'>
  device: Pick<PhoneDevice, 'name' | 'wantsHomeScreen'>
  /** Stores the key. Rejects if the browser can't. */
  onEnrolled: (account: PhoneAccount) => Promise<void>
  onCancel: () => void
}

type Enrolment = { is: 'Offered'; problem?: { at: 'name' | 'page'; message: string } } | { is: 'SettingUp' } | { is: 'Over' }

/** The page of an enrollment link. Nothing happens until the user presses the button. */
export const EnrolView = ({ link, address, api, device, onEnrolled, onCancel }: EnrolViewProps) => {
  const [state, setState] = useState<Enrolment>({ is: 'Offered' })
  const name = useRef<HTMLInputElement>(null)
  const shown = useRef<HTMLElement>(null)
  const running = state.is === 'SettingUp'
  const problem = state.is === 'Offered' ? state.problem : undefined

  useFocusReturn(running, () => name.current?.focus())

  const setUp = async () => {
    const friendlyName = name.current?.value.trim() ?? ''
    if (friendlyName === '') {
      setState({ is: 'Offered', problem: { at: 'name', message: words.enrol.nameMissing } })
      return name.current?.focus()
    }
    setState({ is: 'SettingUp' })
    const { privateKey, publicKey } = await makeKey()
    const reply = await api.enrol({ ...link, publicKey, alg: 'ES256', friendlyName })
    if (reply.ok) return onEnrolled({ ...reply.value, privateKey })
    if (reply.failure.status === 410) return setState({ is: 'Over' })
    const refused = fieldProblem(reply.failure)
    const problem =
      refused?.field === 'friendlyName'
        ? ({ at: 'name', message: words.enrol.nameUnfit } as const)
        : ({ at: 'page', message: failureMessage(reply.failure) } as const)
    setState({ is: 'Offered', problem })
  }

  if (state.is === 'Over')
    return (
      <Statement
        status="expired"
        focused
        title={portalTexts.mailLink.dead.Expired}
        actions={
          <Button look="primary" onClick={onCancel}>
            {words.end.done}
          </Button>
        }
      >
        {words.enrol.over}
      </Statement>
    )

  return (
    <>
      <Title focused>{words.enrol.title}</Title>
      <Text>{words.enrol.text}</Text>
      {device.wantsHomeScreen && (
        <div className={styles.hint}>
          <p>{words.enrol.homeScreen}</p>
          <code ref={shown} dir="ltr">
            {address}
          </code>
          <CopyButton text={address} shownIn={shown} words={words.enrol} />
        </div>
      )}
      <form
        className={styles.form}
        method="post"
        noValidate
        onInput={() => problem && setState({ is: 'Offered' })}
        onSubmit={event => {
          event.preventDefault()
          if (!running) void setUp()
        }}
      >
        <ErrorPanel title={signInTexts.unexpected.title} message={problem?.at === 'page' ? problem.message : undefined} />
        <div className={styles.fields}>
          <Field
            ref={name}
            label={words.enrol.name}
            caption={words.enrol.nameHint}
            name="friendlyName"
            autoComplete="off"
            maxLength={64}
            required
            readOnly={running}
            defaultValue={device.name}
            error={problem?.at === 'name' ? problem.message : undefined}
          />
        </div>
        <Button look="primary" type="submit" progress={running ? 'running' : undefined}>
          {running ? words.enrol.running : words.enrol.submit}
        </Button>
        <Announced>{running && words.enrol.running}</Announced>
      </form>
      <div className={styles.links}>
        <LinkButton disabled={running} onClick={onCancel}>
          {words.enrol.cancel}
        </LinkButton>
      </div>
    </>
  )
}
