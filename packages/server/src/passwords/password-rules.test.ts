import { hash } from 'node:crypto'
import { mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { createPasswordProblem } from './password-rules.ts'

const ident = 'ada.lovelace@analytical.example'
const rules = { minPasswordLength: 15, productName: 'Acme Monitoring', breachedPasswords: undefined }
const checker =
  (given: Parameters<typeof createPasswordProblem>[0]) =>
  async (...typed: Parameters<ReturnType<typeof createPasswordProblem>>) =>
    (await createPasswordProblem(given)(...typed))?.says
const problem = checker(rules)
const sealed = '🔒🗝🚪🏠🌲🌊🔥🌙🎯🎵🐢🦊🍋🚲🎈'

test.each([
  ['PW-01: 14 code points', 'fourteen chars', 'at least 15 characters. This one has 14'],
  ['PW-01: 15 code points', 'fifteen chars ok', undefined],
  ['PW-02: 14 characters outside the basic plane', [...sealed].slice(1).join(''), 'at least 15'],
  ['PW-02: 15 characters outside the basic plane', sealed, undefined],
  ['PW-03: 1024 bytes', `lorem ipsum dolor sit amet ${'ab'.repeat(512)}`.slice(0, 1024), undefined],
  ['PW-03: 1025 bytes', `${'ab'.repeat(512)}c`, 'at most 1024 bytes'],
  ['a hash in place of a password', '$2b$12$abcdefghijklmnopqrstuuE3j5FFjC71WyDL2KIK7ShSoj8tPD3m6', 'is the hash of a password'],
  ['PW-04: lower case words', 'just some plain words', undefined],
  ['PW-05: an entry of the list', '1qaz2wsx3edc4rfv', 'is too common'],
  ['PW-05: an entry of the list in capitals', '1QAZ2WSX3EDC4RFV', 'is too common'],
  // Not an exact entry of the list, but almost as easy to guess.
  ['PW-05: an entry of the list with a suffix', '1qaz2wsx3edc4rfvx1', 'is too common'],
  ['PW-05: a common word with digits', 'password1234567', 'is too common'],
  ['PW-05: a common word with digits', 'administrator123', 'is too easy to guess'],
  ['PW-05: digits in a row', '123456789012345', 'is too common'],
  ['PW-05: one character', 'aaaaaaaaaaaaaaa', 'is too easy to guess: it repeats itself'],
  ['PW-05: a word twice', 'iloveyouiloveyou', 'is too easy to guess: it repeats itself'],
  ['PW-05: a word with separators', 'letmein letmein-Letmein', 'is too easy to guess: it repeats itself'],
  ['PW-05: a walk on the keyboard', 'qwertyuiopasdfghjkl', 'is too common'],
  ['PW-05: 64 common characters and more behind them', `${'password'.repeat(8)}zQ7#vK`, 'is too easy to guess'],
  ['PW-06: the address', 'ada.lovelace@analytical.example', 'from the email address or the name of the product'],
  ['PW-06: the name twice', 'AdaLovelaceAdaLovelace', 'from the email address'],
  ['PW-06: the name and a year', 'adalovelace20242024', 'from the email address'],
  ['PW-06: the domain repeated', 'analyticalanalytical', 'from the email address'],
  ['PW-06: Gatehouse repeated', 'gatehousegatehouse', 'from the email address'],
  ['PW-06: the name of the product', 'AcmeMonitoring1', 'from the email address'],
])('%s', async (_, password, sentence) => {
  expect(await problem(password, ident)).toEqual(sentence === undefined ? undefined : expect.stringContaining(sentence))
})

test('PW-05: with a minimum of 8, refuses short and long common passwords', async () => {
  const short = checker({ ...rules, minPasswordLength: 8 })
  expect(await short('kqzvtwmr', ident)).toBeUndefined()
  expect(await short('password', ident)).toBe('is too common')
  expect(await short('qwertyuiopasdfghjklzxcvbnm', ident)).toBe('is too common')
})

const breachedList = (...passwords: string[]) => {
  const folder = mkdtempSync(join(tmpdir(), 'gatehouse-breached-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const path = join(folder, 'breached.txt')
  const write = (...all: string[]) => {
    const lines = all.map(password => `${hash('sha1', password).toUpperCase()}:3\r\n`).sort()
    writeFileSync(`${path}.new`, lines.join(''))
    renameSync(`${path}.new`, path)
  }
  write(...passwords)
  return { path, write }
}

test('PW-05: refuses an entry of the configured list, and uses a replaced list from the next check on', async () => {
  const { path, write } = breachedList('a breached passphrase of words', 'café and a breached phrase')
  const check = checker({ ...rules, breachedPasswords: path })
  const sentence = 'is too common: it is in a list of passwords from data breaches'
  expect(await check('a breached passphrase of words', ident)).toBe(sentence)
  expect(await check('cafe\u0301 and a breached phrase', ident)).toBe(sentence)
  expect(await check('a breached passphrase of wordsx1', ident)).toBeUndefined()
  write('another passphrase that was breached')
  expect(await check('a breached passphrase of words', ident)).toBeUndefined()
  expect(await check('another passphrase that was breached', ident)).toBe(sentence)
})

test('PW-05: while the configured list is missing or garbled, checking a password throws an error that names the variable', async () => {
  const { path } = breachedList('a breached passphrase of words')
  const check = checker({ ...rules, breachedPasswords: path })
  writeFileSync(path, 'a page that says 404\n')
  await expect(check('just some plain words', ident)).rejects.toThrow(`GATEHOUSE_BREACHED_PASSWORDS: ${path} has a line that is not`)
  rmSync(path)
  await expect(check('just some plain words', ident)).rejects.toThrow(`GATEHOUSE_BREACHED_PASSWORDS: ${path} cannot be read (ENOENT)`)
})

test('A33: checks long hostile passwords outside the event loop, and throws Busy when the queue is full', async () => {
  // Start the thread before the measurement.
  await problem('just some plain words', ident)
  // Measure CPU time, which other processes do not affect.
  const [threadBefore, processBefore] = [process.threadCpuUsage(), process.cpuUsage()]
  const hostile = ['4@8({[<369&#!1/|0$5+7%2'.repeat(40), '19901991'.repeat(120), '!"#$%&\'()*+,-./0123456789:;<=>?@ABCDEF'.repeat(26)]
  const judged = Array.from({ length: 120 }, (_, n) => problem(`${n}${hostile[n % 3]}`.slice(0, 1000), ident))
  const answers = await Promise.allSettled(judged)
  const ofThread = process.threadCpuUsage(threadBefore).user
  const ofProcess = process.cpuUsage(processBefore).user
  const busy = answers.filter(answer => answer.status === 'rejected')
  expect(busy.length).toBeGreaterThan(60)
  expect(busy.every(({ reason }) => reason.constructor.name === 'Busy')).toBe(true)
  // If the event loop’s thread checked passwords, it would use nearly all CPU time of the process.
  expect(ofThread / ofProcess).toBeLessThan(0.25)
})
