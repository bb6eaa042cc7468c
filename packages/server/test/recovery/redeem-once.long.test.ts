import { expect, inject, test } from 'vitest'
import { deploymentOf } from '../credentials/deployment.ts'
import { makeInstallation, startProcess } from '../processes/processes.ts'
import { oneOfAll, race, ready } from '../processes/races.ts'
import { freePort } from '../support/free-port.ts'
import { ada } from '../support/harness.ts'

test.runIf(inject('postgres') !== '')(
  'CC-01, RX-5: through three servers, exactly one of 200 concurrent requests succeeds',
  { timeout: 120_000 },
  async () => {
    const installation = await makeInstallation()
    const env = {
      ...installation.env,
      GATEHOUSE_SECOND_FACTOR: 'skippable',
      GATEHOUSE_ADMIN_PASSWORD: 'a password for several',
      // One public URL, because what phones sign contains its origin.
      GATEHOUSE_PUBLIC_URL: `http://localhost:${installation.port}`,
    }
    const listens = await Promise.all([0, 1, 2].map(async () => `127.0.0.1:${await freePort()}`))
    const servers = listens.map(listen => startProcess({ ...env, GATEHOUSE_LISTEN: listen }))
    await Promise.all(servers.map(server => server.ready))
    const deployment = await deploymentOf(
      listens.map(listen => `http://${listen}`),
      installation,
    )
    const names = ['hand-over, by its two calls', 'one-time link', 'password reset link', 'TOTP step, with the password', 'recovery code']
    for (const [n, name] of [
      ...names,
      'ticket, with a different recovery code for each request',
      'push answer',
      'push approval, with a ticket',
    ].entries()) {
      const user = { username: `ada${n}@example.com`, password: ada.password }
      await deployment.addUser(user)
      const once = await ready(name, deployment, user)
      expect({ name, ...(await race(deployment, once)) }).toEqual({ name, ...oneOfAll })
      expect({ name, later: await once.use(deployment.open(once.jar), 0) }).toEqual({ name, later: 'refused' })
    }
    for (const server of servers) expect(server.output.stderr).not.toContain('request failed')
  },
)
