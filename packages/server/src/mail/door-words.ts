import type { DoorState } from '@gatehouse/wire'

/** What the open-door alarm found at a protected origin, and what to do. */
export type DoorWords = { title: string; cause: string; advice: string }

const blind = 'so nothing shows whether the proxy asks Gatehouse'
const doctor = 'Run ‘gatehouse doctor’ with the address of the request to find out more.'

export const doorWords: Record<DoorState, DoorWords> = {
  Open: {
    title: 'Application open to everyone',
    cause: 'A request without a sign-in got an answer instead of a refusal.',
    advice: `Take the application offline until this is fixed. Configure the proxy to ask Gatehouse before it forwards a request. ${doctor}`,
  },
  CheckSkipped: {
    title: 'Application without a check',
    cause: 'A request without a sign-in was refused, but the answer does not show that the proxy asked Gatehouse just now.',
    advice: `Configure the proxy to ask Gatehouse before every request, to forward the header Gatehouse-Probe, and to cache no answer of the check. ${doctor}`,
  },
  RedirectLoop: {
    title: 'Redirect loop at the proxy',
    cause: 'A request was redirected back to where it came from, so users cannot sign in.',
    advice: `Configure the proxy to redirect to the Location of the check, and to forward the sign-in page to Gatehouse without a check. ${doctor}`,
  },
  RedirectElsewhere: {
    title: 'Application redirects elsewhere',
    cause: 'A request without a sign-in was redirected to another place than the sign-in of Gatehouse.',
    advice: `If you do not know that place, take the application offline. Configure the proxy to ask this Gatehouse before every request. ${doctor}`,
  },
  CertificateInvalid: {
    title: 'Certificate not valid',
    cause: `The certificate is not valid, ${blind}.`,
    advice: 'Install a certificate for this name that browsers and this server accept.',
  },
  NameNotFound: {
    title: 'Name not found',
    cause: `The name has no address (DNS), ${blind}.`,
    advice: 'Correct the DNS entry, or remove the origin from the rules.',
  },
  Unreachable: {
    title: 'Application not reachable',
    cause: `A request got no usable answer, ${blind}.`,
    advice: 'Check that the proxy runs, and that it reaches the application and Gatehouse.',
  },
  CertificateEnds: {
    title: 'Certificate expires soon',
    cause: 'The certificate expires soon. Browsers then refuse the application.',
    advice: 'Renew the certificate, or find out why it is not renewed automatically.',
  },
  Closed: {
    title: 'Nothing wrong',
    cause: 'Visitors are refused.',
    advice: 'You need not do anything.',
  },
}

/** What shows it, for people. An attacker may choose parts of `detail`. */
export const answerText = ({ status, detail }: { status: number | null; detail: string | null }): string => {
  if (status === null) return `none: ${detail ?? 'unknown reason'}`
  return detail === null ? `status ${status}` : `status ${status}, redirects to ${detail}`
}
