import type { ErrorCode, ListedUser, UserDetail } from '@gatehouse/wire'
import { act } from 'react'
import type { AdministrationApi } from '../administration/administration-api.ts'
import { AdministrationPage } from '../administration/administration-page.tsx'
import type { Route } from '../administration/route.ts'
import type { PasskeyAccess } from '../passkeys/passkey-access.ts'
import { administrationApi } from './administration-api.ts'
import { draw, field } from './render.ts'

export const done = () => Promise.resolve({ ok: true, value: undefined } as const)
export const refused = (message: string, status: number, code?: ErrorCode, value?: string) => {
  const why = { ...(code && { code }), ...(value !== undefined && { value }) }
  return Promise.resolve({ ok: false, failure: { is: 'refused', message, detail: '', status, ...why } } as const)
}

export const user: ListedUser = {
  userId: 'u',
  userIdent: 'ada@example.com',
  userCreated: '2026-11-20T03:00:00Z',
  userForcedReset: false,
  administrator: false,
  ways: [],
  factors: 0,
  skipCount: 0,
  skipMost: 3,
  sessions: 0,
  locks: [],
}
export const detail: UserDetail = {
  groups: [],
  groupsElsewhere: [],
  user,
  userTZLabel: 'UTC',
  recoveryCodes: 0,
  wrongPasswordAddresses: 0,
  secondFactorPolicy: 'Off',
  skipsLeft: 0,
  factors: [],
  sessions: [],
  activity: [],
}
export const counts = { All: 1, WithoutFactor: 1, Skipped: 0, Locked: 0, ForcedReset: 0, Administrators: 0, WithPasskey: 0 }

/** Opens the page. @returns the addresses that it pushes, replaces or visits */
export const open = async (
  start: Route,
  api: Partial<AdministrationApi>,
  own: { username?: string; zone?: string; hasPasskey?: boolean; passkeys?: PasskeyAccess } = {},
) => {
  const pushed: string[] = []
  const addresses = {
    read: () => start,
    push: (address: string) => pushed.push(address),
    replace: (address: string) => pushed.push(`in place: ${address}`),
    listen: () => () => {},
  }
  const who = { username: 'admin@example.com', zone: 'UTC', hasPasskey: false, ...own }
  await draw(
    <AdministrationPage
      {...who}
      base="/base"
      api={administrationApi({ user: () => Promise.resolve({ ok: true, value: detail }), ...api })}
      addresses={addresses}
      visit={place => pushed.push(`visit: ${place}`)}
    />,
  )
  return pushed
}
export const type = (name: string, text: string) =>
  act(async () => {
    const input = field(name)
    Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value')?.set?.call(input, text)
    input.dispatchEvent(new Event('input', { bubbles: true }))
  })
export const submit = () =>
  act(async () => document.querySelector('dialog form')?.dispatchEvent(new SubmitEvent('submit', { bubbles: true, cancelable: true })))
export const said = () => [...document.querySelectorAll('[role=status]')].map(({ textContent }) => textContent).join(' ')
