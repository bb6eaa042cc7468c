import type { MailMessage } from '../../src/mail/messages.ts'

export const link = 'https://gate.example.org/in/new-password#c2VsZWN0b3I.dG9rZW4tb2YtYS1saW5r'
export const firefox = 'Mozilla/5.0 (X11; Linux x86_64; rv:128.0) Gecko/20100101 Firefox/128.0'
export const happened = { at: '3 March 2026, 14:05 CET', address: '2001:db8::7', userAgent: firefox }

type Happening = typeof happened

/** One message of every kind. Kinds without a link are notices. */
export const everyMessage = (happening: Happening, name: string): { [Kind in MailMessage['kind']]: MailMessage & { kind: Kind } } => {
  const { at, address } = happening
  return {
    'password-reset': { kind: 'password-reset', link, minutes: 30 },
    invitation: { kind: 'invitation', link, hours: 24 },
    'one-time-link': { kind: 'one-time-link', link, minutes: 10, from: happening, asksNumber: true, code: '7XK2-9FQM' },
    'sso-link': { kind: 'sso-link', link, provider: 'Azure' },
    'factor-reset': { kind: 'factor-reset', link, minutes: 10 },
    'email-change': { kind: 'email-change', link, minutes: 1, account: name },
    'password-changed': { kind: 'password-changed', passkeys: [name, 'YubiKey 5'], ...happening },
    'pass-created': { kind: 'pass-created', name, ...happening },
    'pass-ends': { kind: 'pass-ends', name, ends: at, ...happening },
    'service-pass-created': { kind: 'service-pass-created', who: name, name, by: name, at, address },
    'service-pass-ends': { kind: 'service-pass-ends', who: name, name, ends: at, at, address },
    'door-alarm': {
      kind: 'door-alarm',
      who: name,
      state: 'RedirectElsewhere',
      path: name,
      status: 302,
      detail: name,
      since: at,
      at,
      address,
    },
    'door-alarm-ended': {
      kind: 'door-alarm-ended',
      who: name,
      state: 'Closed',
      path: name,
      status: 302,
      detail: null,
      since: at,
      at,
      address,
    },
    'passkey-added': { kind: 'passkey-added', name, ...happening },
    'passkey-added-automatically': { kind: 'passkey-added-automatically', name, ...happening },
    'passkey-removed': { kind: 'passkey-removed', name, ...happening },
    'passkey-copied': { kind: 'passkey-copied', name, ...happening },
    'factor-added': { kind: 'factor-added', ...happening },
    'factor-reset-done': { kind: 'factor-reset-done', ...happening },
    'factor-removed': { kind: 'factor-removed', ...happening },
    'recovery-codes-anew': { kind: 'recovery-codes-anew', ...happening },
    'wrong-codes': { kind: 'wrong-codes', ...happening },
    locked: { kind: 'locked', until: at, ...happening },
    'recovery-code-used': { kind: 'recovery-code-used', left: 7, ...happening },
    'factor-reset-held': { kind: 'factor-reset-held', ...happening },
    'email-changed': { kind: 'email-changed', newEmail: name, ...happening },
    'provider-linked': { kind: 'provider-linked', provider: 'Google', ...happening },
    'provider-unlinked': { kind: 'provider-unlinked', provider: 'Azure', ...happening },
    'factor-skipped': { kind: 'factor-skipped', who: name, skips: 2, at, address },
    'push-paused': { kind: 'push-paused', why: 'denied', ...happening },
    'push-paused-of': { kind: 'push-paused-of', who: name, why: 'unanswered', at, address },
    'factor-reset-of': { kind: 'factor-reset-of', who: name, at, address },
  }
}
