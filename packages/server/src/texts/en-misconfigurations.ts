import { text } from '@gatehouse/language/text.ts'
import type { MisconfigurationTexts } from './page-texts.ts'

export const misconfiguration: MisconfigurationTexts = {
  title: 'The proxy is misconfigured',
  note: 'Not your server? Show this page to its administrator.',
  action: 'Try again',
  facts: {
    code: 'Code',
    address: 'Address',
    cookieFor: 'Cookie for',
    domain: text('{domain} and its subdomains', 'domain'),
    host: text('{host} only', 'host'),
  },
  causes: {
    'secure-cookie-on-http': {
      cause: text(
        '{address} was opened over http, but {publicUrl} uses https. Browsers send its Secure cookies over https only.',
        'address',
        'publicUrl',
      ),
      causeUnseen: text(
        'The address was opened over http, but {publicUrl} uses https. Browsers send its Secure cookies over https only.',
        'publicUrl',
      ),
      advice:
        'Open it over https, and configure the proxy to redirect http to https. If it already uses https, configure the proxy to send X-Forwarded-Proto: https.',
    },
    'cookie-domain': {
      cause: text('The session cookie is for {domain}, so browsers do not store it or do not send it to {host}.', 'domain', 'host'),
      causeUnseen: text('The session cookie is for {domain}, so browsers do not store it or do not send it to that host.', 'domain'),
      advice: text(
        'Set GATEHOUSE_COOKIE_DOMAIN to a domain that covers both {ours} and {host}. It cannot be a public suffix such as co.uk.',
        'ours',
        'host',
      ),
      adviceUnseen: text(
        'Set GATEHOUSE_COOKIE_DOMAIN to a domain that covers both {ours} and that host. It cannot be a public suffix such as co.uk.',
        'ours',
      ),
    },
    'cookie-not-stored': {
      cause: 'The sign-in succeeded, but the browser did not store the session cookie.',
      advice:
        'Allow cookies for this address, open it at the public URL only, and configure the proxy to pass every Set-Cookie header through unchanged.',
    },
    'cookie-not-passed-on': {
      cause: text('You are signed in, but the check for {address} arrived without the cookie.', 'address'),
      causeUnseen: 'You are signed in, but the check for that address arrived without the cookie.',
      advice: 'Configure the proxy to forward the browser’s Cookie header to /auth/request or /auth/forward.',
    },
    'cookie-twice': {
      cause: text(
        'The browser sends two Gatehouse cookies with the same name to {address}. Another host of the domain set one of them, or GATEHOUSE_COOKIE_DOMAIN was changed.',
        'address',
      ),
      causeUnseen:
        'The browser sends two Gatehouse cookies with the same name to that address. Another host of the domain set one of them, or GATEHOUSE_COOKIE_DOMAIN was changed.',
      advice: text(
        'Try again. If this page comes back, delete the cookies of {domain} in the browser, and find out which host of the domain sets cookies whose names contain gatehouse-.',
        'domain',
      ),
    },
    'session-unknown': {
      cause: text('You are signed in, but the check for {address} does not recognize the session.', 'address'),
      causeUnseen: 'You are signed in, but the check for that address does not recognize the session.',
      advice:
        'Configure the proxy to ask the same Gatehouse that you sign in to, or one with the same database. Then sign out and sign in again.',
    },
    'forwarded-headers': {
      cause: text('The proxy reports that the browser requested {address}, which cannot be right.', 'address'),
      causeUnseen: 'The proxy does not report in a readable form which address the browser requested.',
      advice:
        'Configure the proxy to set X-Forwarded-Proto, X-Forwarded-Host (with the port) and X-Forwarded-Uri of the check to exactly what the browser requested.',
    },
    'prefix-stripped': {
      cause: text('The proxy strips part of the path before the check. What remains is {address}.', 'address'),
      causeUnseen: 'The proxy strips part of the path before the check. What remains is that address.',
      advice:
        'Configure the proxy to run the check first, with the whole path in X-Forwarded-Uri. If Gatehouse’s own path is missing, add it to GATEHOUSE_PUBLIC_URL.',
    },
    'sign-in-guarded': {
      cause: text('The sign-in page {publicUrl}/ is itself behind the check, so users can’t open it to sign in.', 'publicUrl'),
      advice: text(
        'Configure the proxy to send {publicUrl}/ and everything below it to Gatehouse without a check. If Gatehouse is below a path there, add the path to GATEHOUSE_PUBLIC_URL.',
        'publicUrl',
      ),
    },
    'not-protected': {
      cause: text('No rule names {address}, so no one can open it.', 'address'),
      causeUnseen: 'No rule names the address, so no one can open it.',
      advice:
        'Add it to GATEHOUSE_PROTECTED_ORIGINS or to the rules file, with who has access. If browsers open a different address, the proxy’s X-Forwarded-Proto or X-Forwarded-Host is wrong.',
    },
  },
}
