import type { MisconfigurationProps } from '@gatehouse/wire/page-props'
import { MisconfigurationPage } from '../src/server-pages/misconfiguration-page.tsx'
import { NoticePage } from '../src/server-pages/notice-page.tsx'
import '../src/server-pages/misconfiguration.css'
import type { Group } from './scene.ts'

export const portalPages: Group = {
  name: 'Pages of the portal',
  scenes: [
    {
      name: 'Notice',
      draw: () => (
        <NoticePage
          status="attention"
          title="Google sign-in is not set up"
          text="Sign in another way, or ask your administrator."
          action={{ label: 'Back to sign-in', href: '#' }}
        />
      ),
    },
    {
      name: 'Notice, expired',
      draw: () => (
        <NoticePage
          status="expired"
          title="This sign-in expired"
          text="You have a few minutes to complete each step."
          action={{ label: 'Sign in again', href: '#' }}
        />
      ),
    },
    {
      name: 'Notice, stopped',
      draw: () => (
        <NoticePage
          status="stopped"
          title="Too many wrong codes"
          text="This sign-in was stopped to protect your account."
          action={{ label: 'Sign in again', href: '#' }}
        />
      ),
    },
  ],
}

const misconfiguration: MisconfigurationProps = {
  name: 'cookie-not-passed-on',
  nameLabel: 'Code',
  title: 'The proxy is misconfigured',
  cause: 'You are signed in, but the check for https://grafana.example.com arrived without the cookie.',
  advice: 'Configure the proxy to forward the browser’s Cookie header to /auth/request or /auth/forward.',
  facts: [
    { name: 'Address', value: 'https://grafana.example.com' },
    { name: 'Gatehouse', value: 'https://sign-in.example.com/' },
    { name: 'Cookie for', value: 'example.com and its subdomains' },
  ],
  note: 'Not your server? Show this page to its administrator.',
  action: { label: 'Try again', href: '#' },
}

/** The page for every misconfiguration of a proxy. */
export const misconfigurations: Group = {
  name: 'Pages of a proxy',
  scenes: [
    { name: 'What is set up wrong', draw: () => <MisconfigurationPage {...misconfiguration} /> },
    {
      name: 'What is set up wrong, the longest address',
      draw: () => (
        <MisconfigurationPage
          {...misconfiguration}
          name="secure-cookie-on-http"
          facts={[
            { name: 'Address', value: `https://${'metrics-of-the-cluster.'.repeat(8)}example.com:8443` },
            ...misconfiguration.facts.slice(1),
          ]}
        />
      ),
    },
    {
      name: 'Second factor required',
      draw: () => (
        <NoticePage
          status="attention"
          title="Second factor required"
          text="You’re signed in as ada@example.com without a second factor, but prometheus.example.com requires one. Sign in again with a second factor, or set one up."
          action={{ label: 'Sign in again', href: '#' }}
          other={{ label: 'Go to your account', href: '#' }}
        />
      ),
    },
  ],
}
