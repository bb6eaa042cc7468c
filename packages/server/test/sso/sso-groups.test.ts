import { expect, test } from 'vitest'
import { check } from '../forward-auth/asked.ts'
import { adaAtProvider, finishSignIn, linkIdentity, signInAtProvider, startWithProvider } from './sso-sign-in.ts'

const start = async (groups: string) => {
  const env = { GATEHOUSE_PROTECTED_ORIGINS: 'http://localhost:3000', GATEHOUSE_SSO_GROUPS: groups }
  const { idp, server } = await startWithProvider({ env })
  await server.addUser()
  const linking = server.openBrowser()
  await linking.enter()
  await linkIdentity(linking, idp)
  /** The groups after a sign-in with this claim. */
  const groupsWith = async (claim: unknown) => {
    idp.faults.idToken = (claims, signed) => signed({ ...claims, groups: claim })
    const browser = server.openBrowser()
    await finishSignIn(browser, await signInAtProvider(browser, idp, adaAtProvider.sub))
    return (await check(browser, 'http://localhost:3000/')).headers['remote-groups']
  }
  return { server, groupsWith }
}

test('the groups of a provider count only as the configuration maps them, until the next sign-in', async () => {
  const { server, groupsWith } = await start('google:g-1=oncall, google:/sre team=sre, google:g-2=oncall, azure:a-1=other')
  expect(await groupsWith(['g-1', '/sre team'])).toBe('users,oncall,sre')
  expect(await groupsWith(['g-2', 'g-1', 'g-1'])).toBe('users,oncall')
  // Attack: a provider makes up groups.
  for (const claim of [
    ['administrators'],
    ['oncall', 'sre', 'users'],
    ['a-1'],
    ['g-1,administrators'],
    'g-1',
    { 0: 'g-1' },
    [['g-1']],
    [null, 1, {}],
    undefined,
    null,
  ])
    expect([claim, await groupsWith(claim)]).toEqual([claim, 'users'])
  await groupsWith(['g-1'])
  const [row] = await server.db.selectFrom('users').select(['userGroups', 'userProviderGroups']).execute()
  expect(row).toEqual({ userGroups: '', userProviderGroups: 'oncall' })
})

test('the groups of a provider without a mapping change nothing', async () => {
  const { server, groupsWith } = await start('azure:a-1=other')
  await server.db.updateTable('users').set({ userProviderGroups: 'other' }).execute()
  expect(await groupsWith(['a-1', 'administrators'])).toBe('users,other')
})
