import type { AddressInfo } from 'node:net'
import { type Accounts, checkServer, type Options, readTarget } from '@gatehouse/conformance'
import { minutes } from '../../src/limits.ts'
import * as accounts from '../../src/users/users.store.ts'
import { enroll } from '../support/authenticator.ts'
import { startServer } from '../support/harness.ts'
import { type Fault, startFaultProxy } from './fault-proxy.ts'

const user = (name: string) => ({ username: `${name}@example.com`, password: `correct horse ${name}` })

/** How the server treats second factors. With `off` a password is enough; with `skippable` users set one up or skip. */
export type Mode = 'off' | 'skippable'

/** A server with every test account for its mode, and the file that names them. */
export const startChecked = async (mode: Mode, https = false) => {
  const env = {
    GATEHOUSE_SECOND_FACTOR: mode,
    GATEHOUSE_TRUSTED_PROXIES: '127.0.0.1',
    GATEHOUSE_ADMINS: 'administrator@example.com',
    ...(https && { GATEHOUSE_PUBLIC_URL: 'https://sign-in.example.com' }),
  }
  const server = await startServer({ env })
  const listen = async () => {
    await server.app.listen({ port: 0, host: '127.0.0.1' })
    return (server.app.server.address() as AddressInfo).port
  }
  const add = async (name: string) => ({ ...user(name), id: await server.addUser(user(name)) })
  const named = ({ username, password }: { username: string; password: string }) => ({ username, password })
  // Enroll ten minutes in the past: each code works once, and the checks need unused codes.
  server.clock.at = Date.now() - minutes(10)
  const withApp = async (name: string) => {
    const one = await add(name)
    return { ...named(one), secret: (await enroll(server.openBrowser(), server.clock, named(one))).secret }
  }
  const forced = await add('forced')
  await accounts.forceReset(server.db, forced.id)
  const other = await add('other')
  const file: { accounts: Accounts; userId: string } = {
    accounts:
      mode === 'off'
        ? { password: named(await add('plain')), lockout: named(await add('locked')), forcedReset: named(forced) }
        : {
            totp: await withApp('totp'),
            setUp: named(await add('set-up')),
            skip: named(await add('skip')),
            forcedReset: named(forced),
            administrator: await withApp('administrator'),
          },
    userId: other.id,
  }
  server.clock.at = Date.now()
  return { server, file, port: await listen() }
}

/** Runs the checks against a server behind a proxy. */
export const check = async ({ server, file, port }: Awaited<ReturnType<typeof startChecked>>, fault: Fault = {}, options: Options = {}) => {
  const url = await startFaultProxy(port, fault, () => {
    server.clock.at = Date.now()
  })
  const target = readTarget(url, file, server.config.publicUrl.origin)
  if (!target.ok) throw new Error(target.error)
  return checkServer(target.value, options)
}
