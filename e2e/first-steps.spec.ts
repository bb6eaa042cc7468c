import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { chromium as browserType } from '@playwright/test'
import { chromium, chromiumFlags } from './chromium.ts'
import { createMachine, readCommands } from './first-steps.ts'
import { admin } from './gatehouse.ts'
import { expect, openUser, test } from './protecting.ts'

const isDebianRoot = process.platform === 'linux' && process.getuid?.() === 0

test.describe('@long', () => {
  test('the ten commands of docs/getting-started.md lead to Prometheus behind a sign-in', async ({ browserName: _ }, info) => {
    test.skip(!isDebianRoot, 'needs root on Debian or Ubuntu: it installs packages into a copy of this machine')
    test.setTimeout(600_000)
    const { numbers, commands, local } = await readCommands()
    expect(numbers).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10])
    const [names = '', ...others] = commands
    const [packages, server, ...rest] = others
    const machine = await createMachine()
    try {
      await machine.run(['set -ex', names, packages, server].join('\n'), { network: 'outside' })
      // The password comes on standard input, twice.
      const password = `printf '%s\\n%s\\n' '${admin.password}' '${admin.password}' | `
      const steps = ['set -ex', names, 'cd /usr/local/lib/node_modules/@gatehouse/server', ...rest.slice(0, 4), local, ...rest.slice(4)]
      const last = steps.pop() ?? ''
      const wait = 'for second in $(seq 60); do [ -s /var/lib/gatehouse/gatehouse.sqlite ] && break; sleep 1; done'
      const running = await machine.run([...steps, wait, password + last, 'echo all done', 'sleep infinity'].join('\n'), {
        network: 'own',
        until: 'all done',
      })
      try {
        const wrapper = info.outputPath('chromium')
        writeFileSync(wrapper, `#!/bin/sh\nexec nsenter --net=${await running.namespace()} ${chromium} "$@"\n`, { mode: 0o755 })
        const browser = await browserType.launch({
          executablePath: wrapper,
          args: [...chromiumFlags, '--host-resolver-rules=MAP *.example.com 127.0.0.1'],
        })
        const context = await browser.newContext({ ignoreHTTPSErrors: true, viewport: { width: 1000, height: 800 } })
        const page = await context.newPage()
        const user = openUser(context, page)
        // This query counts sign-ins, including the one that the test needs to open it.
        const asked = 'https://prometheus.example.com/graph?g0.expr=sum(gatehouse_sign_ins_total)by(outcome)&g0.tab=1'
        await expect(async () => void (await page.goto(asked, { timeout: 5000 }))).toPass({ timeout: 30_000 })
        await expect(page).toHaveURL(/^https:\/\/sign-in\.example\.com\//)
        const picture = (name: string) => page.screenshot({ path: join(info.outputDir, `${name}.png`) })
        const who = { username: 'ada@example.com', password: admin.password }
        await page.getByLabel('Email').fill(who.username)
        await page.getByLabel('Password', { exact: true }).fill(who.password)
        await picture('sign-in')
        await user.signInFirst(who, () => picture('second-factor'))
        await expect(page).toHaveURL(/^https:\/\/prometheus\.example\.com\/[\w/]*graph\?/)
        // Prometheus reads the metrics every 15 s.
        await expect(async () => {
          await page.reload()
          await expect(page.getByText('AuthSuccessful').first()).toBeVisible({ timeout: 3000 })
        }).toPass({ timeout: 60_000 })
        await picture('prometheus')
        await browser.close()
      } finally {
        await running.stop()
      }
    } catch (error) {
      for (const name of ['gatehouse', 'caddy', 'prometheus']) process.stderr.write(`${name}: ${(await machine.log(name)).slice(-2000)}\n`)
      throw error
    } finally {
      await machine.remove()
    }
  })
})
