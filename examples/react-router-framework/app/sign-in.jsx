import { SignIn } from '@gatehouse/sign-in'
import { server } from './server.js'

export const meta = () => [{ title: 'Sign in' }]

/** The server renders the form, so the form appears before the scripts load. */
export default function SignInPage() {
  return (
    <main>
      <SignIn server={server} autoFocus slots={{ footer: 'Trouble? Call 1234.' }} />
    </main>
  )
}
