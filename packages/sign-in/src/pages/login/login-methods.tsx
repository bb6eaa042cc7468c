import { Button } from '@gatehouse/ui/buttons/button.tsx'
import { useHydrated } from '@gatehouse/ui/hooks/use-hydrated.ts'
import { Divider } from '@gatehouse/ui/layout/divider.tsx'
import { Fragment, type ReactNode } from 'react'
import { englishMethods } from '../../messages/en-methods.ts'
import type { FirstLoadMessages, Messages } from '../../messages/messages.ts'
import { type DeepPartial, withEnglish } from '../../messages/with-english.ts'
import { hasPasskeys } from '../../passkeys/has-passkeys.ts'
import styles from './login-methods.module.css'
import { PasskeyButton } from './passkey-button.tsx'

const known = ['password', 'passkey', 'link', 'providers'] as const

/** A way to sign in on the login page: the form, a passkey, a one-time link by email, or single sign-on. */
export type SignInMethod = (typeof known)[number]

/** The known methods, without duplicates. Host pages without TypeScript may pass unknown ones. */
export const orderOf = (methods: readonly SignInMethod[]): readonly SignInMethod[] =>
  [...new Set(methods)].filter(method => known.includes(method))

/** Whether the form contains the button for a passkey, as in the default order. */
export const isPasskeyInForm = (order: readonly SignInMethod[]) =>
  order[order.indexOf('password') + 1] === 'passkey' && order.includes('password')

type LoginMethodsProps = {
  order: readonly SignInMethod[]
  words: FirstLoadMessages['login']
  own: DeepPartial<Messages['methods']> | undefined
  /** The form with its banner, or the banner alone if the order has no password. */
  form: ReactNode
  /** Undefined where passkeys are not offered, or are part of the form. */
  onPasskey: (() => void) | undefined
  isBusy: boolean
  onLink: () => void
  /** Undefined if there are no providers. */
  providers: ReactNode
}

/** The ways to sign in, in the order that the host page sets. A divider separates the form from the others. */
export const LoginMethods = ({ order, words, own, form, providers, isBusy, onPasskey, onLink }: LoginMethodsProps) => {
  const isHydrated = useHydrated()
  const { or, emailLink } = withEnglish(englishMethods, own)
  const elements: Record<SignInMethod, ReactNode> = {
    password: form,
    passkey: onPasskey && (!isHydrated || hasPasskeys()) && <PasskeyButton text={words.passkey} disabled={isBusy} onClick={onPasskey} />,
    link: (
      <Button data-part="email-link" disabled={isBusy} onClick={onLink}>
        {emailLink}
      </Button>
    ),
    providers,
  }
  const shown = order.filter(method => elements[method])
  return (
    <>
      {!order.includes('password') && form}
      <div className={styles.methods}>
        {shown.map((method, index) => (
          <Fragment key={method}>
            {index > 0 && [method, shown[index - 1]].includes('password') && (
              <div className={styles.divider}>
                <Divider>{method === 'providers' ? words.orSignInWith : or}</Divider>
              </div>
            )}
            {elements[method]}
          </Fragment>
        ))}
      </div>
    </>
  )
}
