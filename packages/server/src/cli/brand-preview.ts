// Writes a preview of the brand into a folder:
//   node brand-preview.ts FOLDER
// `npm run brand -- preview` runs this script, then starts the gallery with that folder.
import { mkdir, writeFile } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { Rendering } from '@gatehouse/wire/page-props'
import type { Brand } from '../brand/brand.ts'
import { readBrandAlone } from '../config/brand.ts'
import { createBranding } from '../http/pages/branding.ts'
import { productOf } from '../mail/layout.ts'
import { type MailMessage, writeMail } from '../mail/messages.ts'

/** A mail with everything that a brand changes in mails. */
const sample: MailMessage = { kind: 'password-reset', link: 'https://sign-in.example.com/new-password#c2VsZWN0b3I.dG9rZW4', minutes: 30 }

const writePreview = async (brand: Brand, folder: string) => {
  const built: { rendering: Rendering } = await import(pathToFileURL(resolve(import.meta.dirname, '../../../portal/dist/render.js')).href)
  const { notice, footer, styles: frameStyles } = built.rendering.in('en').renderFrame(brand)
  const { head, styles, files } = createBranding(brand, '', frameStyles)
  const mail = writeMail(sample, { ...productOf(brand), url: 'https://sign-in.example.com/' })
  const texts = { 'page.json': JSON.stringify({ name: brand.name, head, notice, footer, styles }), 'mail.html': mail.html }
  const assets = [...files].map(([name, { bytes }]) => [`assets/brand/${name}`, bytes] as const)
  for (const [name, content] of [...Object.entries(texts), ...assets]) {
    await mkdir(dirname(join(folder, name)), { recursive: true })
    await writeFile(join(folder, name), content)
  }
}

const { brand, problems } = readBrandAlone(process.env)
if (problems.length > 0) {
  process.stderr.write(`The brand has problems:\n${problems.map(problem => `  ${problem}\n`).join('')}`)
  process.exitCode = 1
} else {
  await writePreview(brand, process.argv[2] ?? '')
}
