import { expect, test } from 'vitest'
import { unclearSpellings as unclear } from '../../../test/forward-auth/path-spellings.ts'
import { limits } from '../../limits.ts'
import { readingsOf } from './path-readings.ts'

test('refuses more than 200 spellings that programs read differently', () => {
  expect(new Set(unclear).size).toBe(unclear.length)
  expect(unclear.length).toBeGreaterThan(200)
  for (const uri of unclear)
    for (const query of ['', '?', '?x=/../y'])
      expect([uri, readingsOf(uri + query)]).toEqual([uri, { unclear: expect.stringMatching(/^the path (has|is|must) /) }])
})

/** Addresses and the one path that they mean. */
const clear: [string, string][] = [
  ['/', '/'],
  ['/admin', '/admin'],
  ['/admin/', '/admin/'],
  ['/%61dmin', '/admin'],
  ['/%61%64%6d%69%6E', '/admin'],
  ['/a%7Eb', '/a~b'],
  ['/a%2Db%5F', '/a-b_'],
  ['/a%20b', '/a b'],
  ['/a%2Cb,c', '/a,b,c'],
  ['/a+b%2Bc', '/a+b+c'],
  ['/a%3Ab:c@d%40', '/a:b:c@d@'],
  ['/a&b=c!$()*', '/a&b=c!$()*'],
  ["/it's%27", "/it's'"],
  ['/100%25', '/100%25'],
  ['/100%25/x', '/100%25/x'],
  ['/a%25zb', '/a%25zb'],
  ['/caf%C3%A9', '/caf\u00e9'],
  ['/cafe%CC%81', '/caf\u00e9'],
  ['/CAF%C3%89', '/caf\u00e9'],
  ['/CAFE%CC%81', '/caf\u00e9'],
  ['/%CE%A3%CF%82%CF%83', '/\u03c3\u03c3\u03c3'],
  ['/%C3%85%E2%84%AB', '/\u00e5\u00e5'],
  ['/ADMIN', '/admin'],
  ['/%E6%97%A5%E6%9C%AC', '/日本'],
  ['/%F0%90%80%80', '/\u{10000}'],
  ['/%F0%9F%8E%89', '/🎉'],
  ['/.well-known/x', '/.well-known/x'],
  ['/a.b..c/x.js', '/a.b..c/x.js'],
  ['/x/..y/.z', '/x/..y/.z'],
  ['/"<>^`{|}', '/"<>^`{|}'],
  ['/%22%3C%3E%5E%60%7B%7C%7D', '/"<>^`{|}'],
  // The query and the fragment do not matter.
  ['/d/x?var=a%2Fb%00%5c;..//../%zz#y', '/d/x'],
  ['/api/v1/query?query=sum(rate(x%7Ba%3D%22100%25%22%7D))', '/api/v1/query'],
  ['/?', '/'],
]

test.each(clear)('%s means the path %s', (uri, path) => {
  expect(readingsOf(uri)).toEqual({ paths: [path] })
})

/** Real addresses with slashes that programs read in several ways. */
const ambiguous: [string, string[]][] = [
  ['/api/queues/%2F/my-queue', ['/api/queues/%2F/my-queue', '/api/queues///my-queue', '/api/queues/my-queue']],
  ['/api/queues/%2f/my-queue', ['/api/queues/%2F/my-queue', '/api/queues///my-queue', '/api/queues/my-queue']],
  ['//api/queues/%2F/q', ['//api/queues/%2F/q', '/api/queues/%2F/q', '//api/queues///q', '/api/queues///q', '/api/queues/q']],
  ['/x//%2F/y', ['/x//%2F/y', '/x/%2F/y', '/x////y', '/x///y', '/x/y']],
  [
    '/api/datasources/proxy/5/rules/default/%2Ftest',
    [
      '/api/datasources/proxy/5/rules/default/%2Ftest',
      '/api/datasources/proxy/5/rules/default//test',
      '/api/datasources/proxy/5/rules/default/test',
    ],
  ],
  ['/api/services/a%2Fb/operations', ['/api/services/a%2Fb/operations', '/api/services/a/b/operations']],
  ['//a%2Fb', ['//a%2Fb', '/a%2Fb', '//a/b', '/a/b']],
  ['//admin', ['//admin', '/admin']],
  ['/x//admin', ['/x//admin', '/x/admin']],
  ['/admin//', ['/admin//', '/admin/']],
  ['/%2Fadmin', ['/%2Fadmin', '//admin', '/admin']],
  ['/admin%2F', ['/admin%2F', '/admin/']],
  ['/%F0%90%80%80%2F', ['/\u{10000}%2F', '/\u{10000}/']],
]

test.each(ambiguous)('%s has these readings: %j', (uri, paths) => {
  expect(readingsOf(uri)).toEqual({ paths })
})

test('refuses a path that is longer than the limit, and accepts a long query', () => {
  const path = `/${'a'.repeat(limits.rules.pathBytes - 1)}`
  expect(readingsOf(`${path}?${path}`)).toEqual({ paths: [path] })
  expect(readingsOf(`${path}a`)).toEqual({ unclear: 'the path has more than 4096 characters' })
})
