import { text } from '@gatehouse/language/text.ts'
import type { DoorTexts } from './door-texts.ts'

export const doors: DoorTexts = {
  states: {
    Open: {
      title: 'Application open to everyone',
      cause: 'A request without a sign-in got an answer instead of a refusal.',
      advice:
        'Take the application offline until this is fixed. Configure the proxy to ask Gatehouse before it forwards a request. Run ‘gatehouse doctor’ with the address of the request to find out more.',
    },
    CheckSkipped: {
      title: 'Application without a check',
      cause: 'A request without a sign-in was refused, but the answer does not show that the proxy asked Gatehouse just now.',
      advice:
        'Configure the proxy to ask Gatehouse before every request, to forward the header Gatehouse-Probe, and to cache no answer of the check. Run ‘gatehouse doctor’ with the address of the request to find out more.',
    },
    RedirectLoop: {
      title: 'Redirect loop at the proxy',
      cause: 'A request was redirected back to where it came from, so users cannot sign in.',
      advice:
        'Configure the proxy to redirect to the Location of the check, and to forward the sign-in page to Gatehouse without a check. Run ‘gatehouse doctor’ with the address of the request to find out more.',
    },
    RedirectElsewhere: {
      title: 'Application redirects elsewhere',
      cause: 'A request without a sign-in was redirected to another place than the sign-in of Gatehouse.',
      advice:
        'If you do not know that place, take the application offline. Configure the proxy to ask this Gatehouse before every request. Run ‘gatehouse doctor’ with the address of the request to find out more.',
    },
    CertificateInvalid: {
      title: 'Certificate not valid',
      cause: 'The certificate is not valid, so nothing shows whether the proxy asks Gatehouse.',
      advice: 'Install a certificate for this name that browsers and this server accept.',
    },
    NameNotFound: {
      title: 'Name not found',
      cause: 'The name has no address (DNS), so nothing shows whether the proxy asks Gatehouse.',
      advice: 'Correct the DNS entry, or remove the origin from the rules.',
    },
    Unreachable: {
      title: 'Application not reachable',
      cause: 'A request got no usable answer, so nothing shows whether the proxy asks Gatehouse.',
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
  },
  answer: {
    none: text('none: {reason}', 'reason'),
    noneUnknown: 'none: unknown reason',
    status: text('status {status}', 'status'),
    redirect: text('status {status}, redirects to {target}', 'status', 'target'),
  },
}
