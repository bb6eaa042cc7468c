import { SignIn } from '@gatehouse/sign-in'
import { english } from '@gatehouse/sign-in/messages'
import { connection } from 'next/server'
import { Suspense } from 'react'
import { server } from './server.js'

/** A server component. Next.js streams it, so the browser shows the form before the footer's data arrives. */
export default async function SignInPage() {
  // Renders for each request, because each response has its own nonce.
  await connection()
  return (
    <main>
      <SignIn
        server={server}
        messages={{ login: { forgotPassword: english.login.forgotPassword } }}
        slots={{
          footer: (
            <Suspense fallback="Loading">
              <Help />
            </Suspense>
          ),
        }}
      />
    </main>
  )
}

const Help = async () => {
  const number = await new Promise(resolve => setTimeout(resolve, 200, '1234'))
  return <p>Trouble? Call {number}.</p>
}
