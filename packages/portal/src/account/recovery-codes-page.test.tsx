// @vitest-environment jsdom
import type { Reply } from '@gatehouse/sign-in'
import type { RecoveryCodes } from '@gatehouse/wire'
import { expect, it, vi } from 'vitest'
import { alerts, button, draw, heading, press, restore } from '../testing/render.ts'
import { RecoveryCodesPage } from './recovery-codes-page.tsx'

const codes = ['abcd-efgh-2345-wxyz', 'k3mn-p4qr-5stu-6vwx']

const opened = async (reply: Reply<RecoveryCodes>) => {
  const userRecoveryCodes = vi.fn(() => Promise.resolve(reply))
  const save = vi.fn()
  const print = vi.fn()
  await draw(<RecoveryCodesPage dashboardUrl="/dash" api={{ userRecoveryCodes }} save={save} print={print} />)
  return { userRecoveryCodes, save, print }
}
const told: Reply<RecoveryCodes> = { ok: true, value: { recoveryCodes: codes } }

it('shows no code before the button is pressed, and offers to skip the page', async () => {
  const { userRecoveryCodes } = await opened(told)
  expect(userRecoveryCodes).not.toHaveBeenCalled()
  expect(button('Later').getAttribute('href')).toBe('/dash')
})

it('shows the codes with one call, then leads to the dashboard', async () => {
  const { userRecoveryCodes } = await opened(told)
  await press('Show my recovery codes', 2)
  expect(userRecoveryCodes).toHaveBeenCalledTimes(1)
  expect([...document.querySelectorAll('[role=list] li')].map(item => item.textContent)).toEqual(codes)
  expect(document.activeElement).toBe(document.querySelector('h1'))
  expect(button('I’ve saved them').getAttribute('href')).toBe('/dash')
})

it('downloads and prints the codes', async () => {
  const { save, print } = await opened(told)
  await press('Show my recovery codes')
  await press('Download')
  expect(save.mock.calls).toEqual([['gatehouse-recovery-codes.txt', `Gatehouse recovery codes. Each works once.\n\n${codes.join('\n')}\n`]])
  await press('Print')
  expect(print).toHaveBeenCalledTimes(1)
})

it('shows why the server creates no codes', async () => {
  const code = 'RecoveryCodesClosed'
  await opened({ ok: false, failure: { is: 'refused', message: 'in other words', detail: '', status: 409, code } })
  await press('Show my recovery codes')
  expect(alerts()).toMatch(/^Something went wrongYou can create recovery codes here only right after you sign in/)
})

it('hides the codes when the browser restores the page', async () => {
  await opened(told)
  await press('Show my recovery codes')
  await restore()
  expect(heading()).toBe('Recovery codes')
  expect(document.body.textContent).not.toContain(codes[0])
})
