import { Button, LinkButton } from '@gatehouse/ui/buttons/button.tsx'
import { Form } from '@gatehouse/ui/fields/form.tsx'
import { PasswordField } from '@gatehouse/ui/fields/password-field.tsx'
import { useFocusReturn } from '@gatehouse/ui/hooks/use-focus-return.ts'
import { useOneCall } from '@gatehouse/ui/hooks/use-one-call.ts'
import { GoogleMark, MicrosoftMark, PakMark } from '@gatehouse/ui/icons/provider-marks.tsx'
import { Modal } from '@gatehouse/ui/layout/modal.tsx'
import { Announced } from '@gatehouse/ui/status/announced.tsx'
import { ErrorPanel } from '@gatehouse/ui/status/error-panel.tsx'
import { Tag } from '@gatehouse/ui/status/tag.tsx'
import { type RefObject, useEffect, useLayoutEffect, useReducer, useRef } from 'react'
import { withPassword } from '../../actions/use-action.ts'
import type { PortalApi } from '../../calls/portal-api.ts'
import { english } from '../../messages/en.ts'
import { afterLink, afterUnlink } from '../after-way-change.ts'
import { Act, Rows, Section } from '../section.tsx'
import { atRest, type Way, type WaysState, waysToSignIn } from '../ways-to-sign-in-state.ts'
import styles from './ways-to-sign-in.module.css'

export type WaysToSignInProps = {
  username: string
  /** The providers that are set up or linked, and there is at least one. */
  providers: Way[]
  /** Whether there is a password to ask for. */
  hasPassword: boolean
  api: Pick<PortalApi, 'userProviderLink' | 'userProviderUnlink' | 'userPasswordConfirm'>
  /** Goes to a provider. Stays the same as long as the page does. */
  visit: (location: string) => void
  /** Has what the page shows brought up to date. */
  refresh: () => Promise<void>
  /** Leaves for the sign-in page: nobody is signed in any more. */
  leave: () => void
}

const words = english.account
const marks = { Google: <GoogleMark />, Azure: <MicrosoftMark />, Pak: <PakMark /> }

/** The providers of an account, each to be linked or unlinked with the password. */
export const WaysToSignIn = ({ username, providers, hasPassword, api, visit, refresh, leave }: WaysToSignInProps) => {
  const [state, dispatch] = useReducer(waysToSignIn, providers, atRest)
  const password = useRef<HTMLInputElement>(null)
  const call = useOneCall(dispatch, password)
  const location = state.is === 'Leaving' ? state.location : undefined

  useEffect(() => {
    if (location !== undefined) visit(location)
  }, [location, visit])

  const change = async (way: Way) => {
    if (call.isRunning()) return
    const typed = password.current?.value ?? ''
    if (hasPassword && !typed) {
      return dispatch({ type: 'failed', problem: { at: 'password', message: english.login.passwordMissing } })
    }
    const request = { provider: way.provider, password: typed }
    const signal = call.begin()
    dispatch({ type: 'submitted' })
    const event = way.linked
      ? afterUnlink(await withPassword(api, typed, signal, () => api.userProviderUnlink(request, signal)))
      : afterLink(await withPassword(api, typed, signal, () => api.userProviderLink(request, signal)))
    if (event.type === 'unlinked') await refresh()
    if (signal.aborted) return
    call.end()
    if (event.type === 'signedOut') leave()
    else dispatch(event)
  }

  return (
    <Section
      id="ways-to-sign-in"
      title={words.waysToSignIn}
      text={words.waysToSignInText}
      news={state.is === 'AtRest' && state.unlinked ? words.unlinked(words.providers[state.unlinked]) : undefined}
    >
      <Rows>
        {state.ways.map(way => {
          const name = words.providers[way.provider]
          const { short, title } = way.linked ? words.unlink : words.link
          return (
            <li key={way.provider} className={styles.way}>
              <span className={styles.mark}>{marks[way.provider]}</span>
              <span className={styles.name}>
                {name} {way.linked && <Tag>{words.linked}</Tag>}
              </span>
              <Act label={short} of={title(name)} onClick={() => dispatch({ type: 'chosen', way })} />
            </li>
          )
        })}
      </Rows>
      {'way' in state && !(state.is === 'Changing' && state.shut) && (
        <Question
          state={state}
          field={hasPassword ? password : undefined}
          username={username}
          onSubmit={() => void change(state.way)}
          onEdit={() => dispatch({ type: 'edited' })}
          onClose={() => dispatch({ type: 'closed' })}
        />
      )}
    </Section>
  )
}

type QuestionProps = {
  state: Extract<WaysState, { way: Way }>
  /** The password's field, where there is one. */
  field: RefObject<HTMLInputElement | null> | undefined
  username: string
  onSubmit: () => void
  onEdit: () => void
  onClose: () => void
}

/** The window that asks whether the change is meant, and for the password. */
const Question = ({ state, field, username, onSubmit, onEdit, onClose }: QuestionProps) => {
  const button = useRef<HTMLButtonElement>(null)
  const name = words.providers[state.way.provider]
  const change = state.way.linked ? words.unlink : words.link
  const problem = state.is === 'AskingWithError' ? state.problem : undefined
  const running = state.is === 'Changing' ? change.running(name) : state.is === 'Leaving' && words.leaving(name)
  const text = field ? change.textWithPassword : change.text

  useFocusReturn(state.is === 'Changing', () => (problem?.at === 'password' ? field : button)?.current?.focus())

  // After the window itself has been shown, which puts the focus on its first button; and when what was typed is wrong.
  useLayoutEffect(() => field?.current?.focus(), [field])
  useLayoutEffect(() => {
    if (problem?.at === 'password') field?.current?.focus()
  }, [problem, field])

  return (
    <Modal open onClose={onClose} title={change.title(name)} close={words.close} narrow>
      <p className={styles.question}>{text(name)}</p>
      <Form className={styles.form} noValidate send={onSubmit}>
        <ErrorPanel title={english.unexpected.title} message={problem?.at === 'page' ? problem.message : undefined} />
        {field && (
          <div className={styles.password}>
            {/* A password manager looks under this name. */}
            <input hidden type="email" name="username" autoComplete="username" readOnly defaultValue={username} />
            <PasswordField
              ref={field}
              label={english.login.password}
              name="password"
              autoComplete="current-password"
              toggle={english.passwordField}
              required
              readOnly={running !== false}
              error={problem?.at === 'password' ? problem.message : undefined}
              onInput={onEdit}
            />
          </div>
        )}
        <Button ref={button} look="primary" type="submit" progress={running ? 'running' : undefined}>
          {running || change.title(name)}
        </Button>
        <Announced>{running}</Announced>
      </Form>
      <div className={styles.cancel}>
        <LinkButton onClick={onClose}>{words.cancel}</LinkButton>
      </div>
    </Modal>
  )
}
