import { NoticePage } from '../src/notice-page.tsx'
import { TroublePage } from '../src/trouble-page.tsx'
import '../src/trouble.css'
import type { Group } from './scene.ts'

export const portalPages: Group = {
  name: 'Pages of the portal',
  scenes: [
    {
      name: 'Notice',
      draw: () => (
        <NoticePage
          title="Google sign-in is not set up"
          text="Whoever runs this server has not connected it to Google. Sign in another way."
          action={{ label: 'Back to sign-in', href: '#' }}
        />
      ),
    },
  ],
}

const trouble: Parameters<typeof TroublePage>[0] = {
  trouble: 'cookie-not-passed-on',
  title: 'Gatehouse and the proxy do not agree',
  cause: 'You are signed in, but the check for https://grafana.example.com came without the cookie.',
  advice: 'Let the proxy pass the Cookie header of the browser on to the check, /auth/request or /auth/forward.',
  facts: [
    { name: 'Address', value: 'https://grafana.example.com' },
    { name: 'Gatehouse', value: 'https://sign-in.example.com/' },
    { name: 'Cookie for', value: 'example.com and below' },
  ],
  note: 'If somebody else looks after this server, show them this page.',
  action: { label: 'Try again', href: '#' },
}

/** What is set up wrong in front of a dashboard. */
export const troubles: Group = {
  name: 'Pages of a proxy',
  scenes: [
    { name: 'What is set up wrong', draw: () => <TroublePage {...trouble} /> },
    {
      name: 'What is set up wrong, the longest address',
      draw: () => (
        <TroublePage
          {...trouble}
          trouble="secure-cookie-on-http"
          facts={[{ name: 'Address', value: `https://${'metrics-of-the-cluster.'.repeat(8)}example.com:8443` }, ...trouble.facts.slice(1)]}
        />
      ),
    },
    {
      name: 'A second factor is needed',
      draw: () => (
        <NoticePage
          title="A second factor is needed"
          text="You are signed in as ada@example.com without one, and prometheus.example.com asks for it. Sign out, sign in again, and set up an authenticator app or enter its code."
          action={{ label: 'Go to your account', href: '#' }}
        />
      ),
    },
  ],
}
