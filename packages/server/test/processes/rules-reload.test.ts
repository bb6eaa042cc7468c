import { mkdir, rename, rm, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { makeInstallation, runCli, startProcess } from './processes.ts'

const rule = (path: string, effect: string) => `rules:\n  - { to: 'http://localhost:3000${path}', ${effect} }\n`
const [open, shut] = [rule('/*', 'allow: everyone'), rule('/*', 'deny: true')]

/** An installation whose configuration names a rules file. */
const start = async (place = 'rules.yaml') => {
  const installation = await makeInstallation()
  const file = join(installation.env.GATEHOUSE_DATA_DIR ?? '', place)
  return { ...installation, file, env: { ...installation.env, GATEHOUSE_RULES: file } }
}
const statusOf = (port: number) => async () => {
  const headers = {
    'x-forwarded-proto': 'http',
    'x-forwarded-host': 'localhost:3000',
    'x-forwarded-uri': '/x',
    'x-forwarded-method': 'GET',
  }
  return (await fetch(`http://127.0.0.1:${port}/auth/request`, { headers })).status
}

const areLoaded = async (port: number) =>
  /^gatehouse_rules_last_reload_successful (\d)$/m.exec(await (await fetch(`http://127.0.0.1:${port}/metrics`)).text())?.[1]

test('reloads the rules when the file is written or replaced, and keeps the last good rules if it is wrong or missing', async () => {
  const { env, port, file } = await start()
  await writeFile(file, open)
  const { ready, output } = startProcess(env)
  await ready
  const status = statusOf(port)
  expect(output.stdout).toContain('Protects             http://localhost:3000')
  expect(await status()).toBe(200)

  await writeFile(file, shut)
  await expect.poll(status).toBe(403)
  // Editors save like this: they write a new file and rename it over the old one.
  await writeFile(`${file}~`, open)
  await rename(`${file}~`, file)
  await expect.poll(status).toBe(200)

  await writeFile(file, rule('/*', 'allow: admins'))
  await expect.poll(() => output.stderr).toContain('rules.yaml:2:45: ‘admins’ must be everyone')
  expect([await status(), await areLoaded(port)]).toEqual([200, '0'])
  await rm(file)
  await expect.poll(() => output.stderr).toContain('the rules file cannot be read; the previous rules stay in effect')
  expect(await status()).toBe(200)
  await writeFile(file, shut)
  await expect.poll(status).toBe(403)
  expect(await areLoaded(port)).toBe('1')
})

test('reloads the rules when the folder of a mounted configuration is replaced', async () => {
  const { env, port, file } = await start('config/rules.yaml')
  const folder = join(file, '../..')
  // Kubernetes mounts a symbolic link to a folder, and replaces the link.
  for (const [version, text] of [
    ['one', open],
    ['two', shut],
  ] as const) {
    await mkdir(join(folder, version))
    await writeFile(join(folder, version, 'rules.yaml'), text)
  }
  await symlink('one', join(folder, 'config'))
  await startProcess(env).ready
  const status = statusOf(port)
  expect(await status()).toBe(200)
  await symlink('two', join(folder, 'config~'))
  await rename(join(folder, 'config~'), join(folder, 'config'))
  await expect.poll(status).toBe(403)
})

test('SIGHUP reloads the rules at once, and ends a server without a rules file', async () => {
  const { env, port, file } = await start()
  await writeFile(file, open)
  const { child, ready, output } = startProcess(env)
  await ready
  const status = statusOf(port)
  await writeFile(file, shut)
  child.kill('SIGHUP')
  await expect.poll(status, { interval: 20, timeout: 900 }).toBe(403)
  await writeFile(file, 'rules:')
  child.kill('SIGHUP')
  await expect.poll(() => output.stderr, { interval: 20, timeout: 900 }).toContain('the previous rules stay in effect')
  expect(await status()).toBe(403)

  const { GATEHOUSE_RULES: _, ...without } = env
  child.kill('SIGKILL')
  const other = startProcess(without)
  await other.ready
  other.child.kill('SIGHUP')
  expect(await other.ended).toBeNull()
})

test('with a bad rules file, the server does not start and reports every problem', async () => {
  const { env, file } = await start()
  await writeFile(file, `${rule('/*', 'allow: [admins, group:Ops]')}  - { to: x, deny: true }\n`)
  const { ended, output } = startProcess(env)
  expect(await ended).toBe(1)
  expect(output.stderr.split('\n').map(line => line.replace(`${file}:`, '').trim())).toEqual([
    'Gatehouse cannot start:',
    expect.stringMatching(/^2:46: ‘admins’ must be/),
    expect.stringMatching(/^2:54: ‘group:Ops’ must be/),
    expect.stringMatching(/^3:11: ‘x’ must begin with an origin/),
    '',
  ])
})

test('rules check lists the rules with warnings, and rules explain names the rule that decides a request', async () => {
  const { env, file } = await start()
  const run = async (...args: string[]) => {
    const { code, stdout, stderr } = await runCli(env, ['rules', ...args])
    return { code, lines: (stdout + stderr).trim().replaceAll(`${file}:`, '').split('\n') }
  }
  await writeFile(
    file,
    `
groups: { oncall: [ada@example.com] }
rules:
  - { to: 'http://localhost:3000/admin/*', allow: administrators, require: [second-factor, fresh: 5m] }
  - { to: 'http://localhost:3000/*', methods: [GET], allow: [group:oncall, '*@ops.example.com'] }
  - { to: 'http://localhost:3000/*', from: 10.0.0.0/8, allow: everyone }
`,
  )
  expect(await run('check')).toEqual({
    code: 0,
    lines: [
      'rules:',
      "  - { to: 'http://localhost:3000/admin/*', allow: administrators, require: [second-factor, fresh: 300s] }",
      "  - { to: 'http://localhost:3000/*', methods: GET, allow: [group:oncall, '*@ops.example.com'] }",
      "  - { to: 'http://localhost:3000/*', from: 10.0.0.0/8, allow: everyone }",
      'warning  4:5: rule 1 does not fit /admin, which rule 2 leaves to more users; write /admin{/*}? to include it.',
    ],
  })
  for (const user of ['ada@example.com', 'bob@example.com']) await runCli(env, ['user', 'add', user], 'correct horse battery\n')
  const x = 'http://localhost:3000/x'
  const second =
    "rule 1  is for another path: - { to: 'http://localhost:3000/admin/*', allow: administrators, require: [second-factor, fresh: 300s] }"
  const decides = "rule 2  decides: - { to: 'http://localhost:3000/*', methods: GET, allow: [group:oncall, '*@ops.example.com'] }"
  const says = 'Rule 2: the group oncall and everyone at ops.example.com can open it.'
  const answers: [string[], string[]][] = [
    [
      ['GET', x, '--user', 'Ada@example.com'],
      [second, decides, 'ada@example.com can open it.', says],
    ],
    [
      ['get', x, '--user', 'bob@example.com'],
      [second, decides, 'bob@example.com is refused.', says],
    ],
    [
      ['GET', x],
      [second, decides, 'A visitor without a sign-in is led to the sign-in.', says],
    ],
  ]
  for (const [args, lines] of answers) expect([args, await run('explain', ...args)]).toEqual([args, { code: 0, lines }])
  const lastLines: [string[], string[]][] = [
    [
      ['POST', x, '--from', '10.1.1.1'],
      ['A visitor without a sign-in can open it.', 'Rule 3: everyone can open it without signing in.'],
    ],
    [
      ['POST', x, '--from', '192.0.2.1'],
      ['Refused for every user: no rule fits.', 'Add a rule that fits.'],
    ],
    [
      ['GET', 'https://localhost:3000/x'],
      ['Refused for every user: no rule fits.', 'No rule names this origin. Check the scheme, the host and the port.'],
    ],
    [
      ['GET', `${x}/../admin/y`],
      ['Refused for every user: x-forwarded-uri: the path has a dot segment.', 'Programs could read the request in several ways.'],
    ],
    [['GET', 'http://localhost:3000/admin/', '--user', 'admin@example.com'], ['No user admin@example.com exists.']],
    [['GET', 'localhost'], ['‘localhost’ is not an address like https://grafana.example.com/d/abc']],
    [['GET', x, '--from', 'home'], ['--from: ‘home’ is not an IP address']],
  ]
  for (const [args, lines] of lastLines) expect([args, (await run('explain', ...args)).lines.slice(-lines.length)]).toEqual([args, lines])
  await writeFile(file, rule('/*', 'allow: admins'))
  expect(await run('check')).toEqual({ code: 1, lines: [expect.stringMatching(/^2:45: ‘admins’ must be everyone/)] })
  const { GATEHOUSE_RULES: _, ...short } = env
  const shown = await runCli({ ...short, GATEHOUSE_PROTECTED_ORIGINS: 'http://localhost:3000 administrators phishing-resistant' }, [
    'rules',
    'check',
  ])
  expect(shown.stdout).toBe("rules:\n  - { to: 'http://localhost:3000/*', allow: administrators, require: [phishing-resistant] }\n")
})
