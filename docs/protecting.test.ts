import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'

const folder = join(import.meta.dirname, 'protecting')
const read = (name: string) => readFileSync(join(folder, name), 'utf8')
const identity = ['Remote-User', 'Remote-Email', 'Remote-Groups', 'X-WEBAUTH-USER', 'Gatehouse-Assertion']

type Yaml = string | Yaml[] | { [key: string]: Yaml }

/** Parses the part of YAML that our files use: maps and lists indented by two spaces, and scalars on one line. */
const readYaml = (text: string): Yaml => {
  const lines = text.split('\n').flatMap(line => (/^\s*(#|$)/.test(line) ? [] : [{ depth: line.search(/\S/), text: line.trim() }]))
  const scalar = (word: string) => word.replace(/^"(.*)"$/, '$1')
  const block = (depth: number): Yaml => {
    const list: Yaml[] = []
    const map: { [key: string]: Yaml } = {}
    for (let line = lines[0]; line && line.depth === depth; line = lines[0]) {
      lines.shift()
      const item = /^- (.*)$/.exec(line.text)?.[1]
      const [, key, value] = /^([\w.-]+):(?: (.+))?$/.exec(item ?? line.text) ?? []
      if (item !== undefined) list.push(key && value ? { [key]: scalar(value) } : scalar(item))
      else if (key !== undefined) map[key] = value === undefined ? block(depth + 2) : scalar(value)
      else throw new Error(`cannot read ${line.text}`)
    }
    if (lines[0] && lines[0].depth > depth) throw new Error(`is indented too far: ${lines[0].text}`)
    return list.length > 0 ? list : map
  }
  return block(0)
}

const at = (yaml: Yaml | undefined, ...path: string[]): Yaml => {
  const [key, ...more] = path
  if (yaml === undefined) throw new Error(`nothing at ${path.join('.')}`)
  if (key === undefined) return yaml
  if (typeof yaml === 'string' || Array.isArray(yaml)) throw new Error(`no map at ${key}`)
  return at(yaml[key], ...more)
}

test('every name in Traefik’s files is defined, and every application uses the forward-auth check', () => {
  const [setUp, dynamic] = [readYaml(read('traefik/traefik.yml')), readYaml(read('traefik/gatehouse.yml'))]
  const names = (...path: string[]) => Object.keys(at(dynamic, 'http', ...path))
  for (const name of names('routers')) {
    const router = at(dynamic, 'http', 'routers', name)
    expect(Object.keys(at(setUp, 'entryPoints'))).toEqual(expect.arrayContaining(at(router, 'entryPoints') as string[]))
    expect(names('services')).toContain(at(router, 'service'))
    const own = ' && !PathRegexp(`(?i)^/+auth/+(request|forward)`)'
    expect(at(router, 'rule')).toBe(`Host(\`${name}.example.com\`)${name === 'sign-in' ? own : ''}`)
    expect(at(router, 'middlewares')).toEqual([name === 'sign-in' ? 'no-forged-address' : 'gatehouse'])
  }
  expect(names('routers')).toEqual(['sign-in', 'grafana', 'prometheus', 'netdata'])
  expect(at(dynamic, 'http', 'middlewares', 'gatehouse', 'chain', 'middlewares')).toEqual(
    names('middlewares').filter(name => name !== 'gatehouse' && name !== 'no-forged-address'),
  )
  const check = at(dynamic, 'http', 'middlewares', 'check', 'forwardAuth')
  expect(check).toEqual({
    address: 'http://127.0.0.1:8080/auth/forward/omit-empty',
    trustForwardHeader: 'false',
    authResponseHeaders: [...identity, 'Authorization'],
  })
  const forged = at(dynamic, 'http', 'middlewares', 'no-forged-names', 'headers', 'customRequestHeaders')
  const spellings = identity.flatMap(name =>
    name
      .split('-')
      .reduce<string[]>(
        (begun, part) => (begun.length ? begun.flatMap(one => ['-', '_', '.'].map(sign => one + sign + part)) : [part]),
        [],
      ),
  )
  expect(spellings).toHaveLength(3 + 3 + 3 + 9 + 3)
  expect(forged).toMatchObject(Object.fromEntries(spellings.map(name => [name, ''])))
  for (const name of ['web', 'websecure']) expect(at(setUp, 'entryPoints', name, 'http', 'aliasHeadersStrategy')).toBe('delete')
  const resolver = at(setUp, 'entryPoints', 'websecure', 'http', 'tls', 'certResolver')
  expect(Object.keys(at(setUp, 'certificatesResolvers'))).toEqual([resolver])
  expect(read('traefik/traefik.yml')).toContain(`filename: /etc/traefik/gatehouse.yml`)
})

test('every proxy recipe sets every identity header, and a page mentions every file', () => {
  for (const name of ['nginx.conf', 'nginx-one-host.conf', 'Caddyfile', 'Caddyfile.one-host'])
    for (const header of identity) expect(read(name), `${name} and ${header}`).toContain(header)
  const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter(entry => entry.isFile())
  const pages = files.filter(({ name }) => name.endsWith('.md')).map(({ name }) => read(name))
  for (const { name } of files) expect(name === 'README.md' || pages.some(page => page.includes(name)), `${name} is linked`).toBe(true)
})

test('nginx describes the request to Gatehouse from its own variables, not from client headers', () => {
  for (const file of ['nginx.conf', 'nginx-one-host.conf']) {
    const [, check = ''] = /\n {4}location = \/gatehouse-check \{\n(.*?)\n {4}\}\n/s.exec(read(file)) ?? []
    const reported = [...check.matchAll(/proxy_set_header (X-Forwarded-[\w-]+) (.+);/g)].map(([, name, value]) => `${name} ${value}`)
    expect(reported).toEqual([
      'X-Forwarded-For $remote_addr',
      'X-Forwarded-Proto $scheme',
      'X-Forwarded-Host $host:$server_port',
      'X-Forwarded-Uri $request_uri',
      'X-Forwarded-Method $request_method',
      'X-Forwarded-Prefix ""',
    ])
  }
})

test('every proxy recipe removes the headers that the page on rules lists', () => {
  const [, table = ''] = read('rules.md').split('| headers that the recipes remove |')
  const listed = [...table.matchAll(/^\| (`.+) \|/gm)].flatMap(([, cells = '']) => {
    let last = ''
    return [...cells.matchAll(/`([\w-]+)`/g)].map(([, name = '']) => {
      if (!name.startsWith('-')) last = name
      return name.startsWith('-') ? last.replace(/-\w+$/, name) : name
    })
  })
  expect(listed).toHaveLength(35)
  const lines: Record<string, (name: string) => string> = {
    'nginx.conf': name => `proxy_set_header ${name} "";`,
    'nginx-one-host.conf': name => `proxy_set_header ${name} "";`,
    Caddyfile: name => `request_header -${name}\n`,
    'Caddyfile.one-host': name => `request_header -${name}\n`,
    'traefik/gatehouse.yml': name => `          ${name}: ""\n`,
  }
  for (const [file, line] of Object.entries(lines))
    for (const name of listed) expect(read(file), `${file} and ${name}`).toContain(line(name))
})

test('the page lists exactly the misconfigurations that the server or doctor can name', () => {
  const source = readFileSync(join(import.meta.dirname, '../packages/server/src/http/misconfiguration.ts'), 'utf8')
  const [, union = ''] = /export type Misconfiguration =((?:\n {2}\| '[\w-]+')+)/.exec(source) ?? []
  const known = [...union.matchAll(/'([\w-]+)'/g)].map(([, name]) => name)
  const [, section = ''] = read('README.md').split('## Fix a redirect loop')
  expect([...section.matchAll(/^\| `([\w-]+)` \|/gm)].map(([, name]) => name).sort()).toEqual(
    [...known, 'no-check', 'upgrade-dropped'].sort(),
  )
})
