import { admin } from './gatehouse.ts'
import { expect, needs, test } from './protecting.ts'
import type { ProxyName } from './protecting-programs.ts'
import { change } from './protecting-recipes.ts'
import { send } from './protecting-requests.ts'

// Gatehouse below a path of the dashboard's host. The proxy keeps or removes the path prefix.

/** The line of each recipe that keeps the prefix, and one that removes it. */
const stripping = {
  nginx: ['proxy_pass http://gatehouse;', 'proxy_pass http://gatehouse/;'],
  caddy: ['handle /gate/*', 'handle_path /gate/*'],
} satisfies Record<ProxyName, [string, string]>

for (const proxy of ['nginx', 'caddy'] satisfies ProxyName[])
  for (const prefix of ['passed on', 'removed'] as const)
    test(`signs in below a path prefix that ${proxy} has ${prefix}, and returns to the requested address`, async ({ user, open }) => {
      needs(proxy)
      test.setTimeout(60_000)
      const edit = (recipe: string) => (prefix === 'passed on' ? recipe : change(recipe, stripping[proxy]))
      const site = await open({ proxy, hosts: 'one', edit })
      const { page } = user
      const failed: string[] = []
      page.on('response', answer => answer.status() >= 400 && failed.push(`${answer.status()} ${answer.url()}`))
      const asked = site.at('example.com', '/graph/?g0.expr=a%2Fb&x=%C3%A9#at=noon')
      await page.goto(asked)
      expect(page.url()).toContain(site.at('example.com', '/gate/?return='))
      await user.fragmentIsKept()
      await user.signInFirst()
      await expect(page).toHaveURL(asked)
      await expect(page.getByRole('heading', { name: `Hello ${admin.username}` })).toBeVisible()
      // The application gets none of Gatehouse's cookies. The only Gatehouse header is the signed identity.
      expect((await user.ask('/api')).text.replace(/"gatehouse-assertion":"[^"]+"/, '')).not.toContain('gatehouse')
      await page.goto(site.at('example.com', '/gate/account'))
      await expect(page.getByText('Signed in as')).toContainText(admin.username)
      await page.getByRole('button', { name: 'Sign out', exact: true }).click()
      await expect(page.getByLabel('Email', { exact: true })).toBeVisible()
      await expect(page).toHaveURL(site.at('example.com', '/gate/'))
      expect(failed).toEqual([])
      expect((await send(site.at('example.com', '/api'))).status).toBe(401)
    })
