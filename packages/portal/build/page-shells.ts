import type { PageName } from '@gatehouse/wire/page-props'
import { english } from '../src/messages/en.ts'
import type { HtmlFile } from './html-file.ts'

type Head = HtmlFile['head']

const { titles } = english

/** The server replaces `./` with its base path. */
const head: Head = urlOf => [
  '<meta name="theme-color" content="#f5f6f8" media="(prefers-color-scheme: light)">',
  '<meta name="theme-color" content="#0c0f14" media="(prefers-color-scheme: dark)">',
  '<meta name="gatehouse-base" content="./">',
  `<link rel="icon" type="image/svg+xml" href="${urlOf('./src/mark.svg')}">`,
]
const root = '<div id="root"><!--app--></div>'
const props = '<script type="application/json" id="gatehouse-props">null</script>'

const create = (page: string, title: string, script: string, body: readonly string[]): HtmlFile => ({
  title,
  head,
  script: `./src/${script}`,
  page,
  body,
})

/** A page that works without its script. Until the whole page has arrived, it hides the parts that would move (page.css). */
const hydrated = (name: string, title: string, script: string) =>
  create(name, `${title} · Gatehouse`, script, [`<main data-script-follows>${root}</main>`, props])

/** A page whose script renders most of the content. */
const filled = (name: string, title: string, script: string) =>
  create(name, `${title} · Gatehouse`, script, [`<main>${root}</main>`, props])

/** A page without a script. The module `script` only imports its style sheets. */
const plain = (name: string, title: string, script: string): HtmlFile => ({
  ...create(name, title, script, [`<main>${root}</main>`]),
  isScriptless: true,
})

/** The app on an enrolled phone does nothing without its script, and needs no props. */
const approve: HtmlFile = {
  title: `${titles.approve} · Gatehouse`,
  // The keyboard must not cover the field for the number.
  viewport: 'interactive-widget=resizes-content',
  head: urlOf => [
    ...head(urlOf),
    '<link rel="manifest" href="./approve.webmanifest">',
    `<link rel="icon" type="image/png" sizes="192x192" href="${urlOf('./src/approver/icon-192.png')}">`,
    `<link rel="icon" type="image/png" sizes="512x512" href="${urlOf('./src/approver/icon-512.png')}">`,
    `<link rel="apple-touch-icon" sizes="512x512" href="${urlOf('./src/approver/icon-maskable-512.png')}">`,
  ],
  script: './src/approver/approver.tsx',
  page: 'approve',
  body: ['<main>', `  <noscript><p>${english.approverNeedsScript}</p></noscript>`, `  ${root}`, '</main>'],
}

/** The HTML file of each page. The server fills the root and the props, and replaces the texts in other languages. */
export const pageShells: Readonly<Record<PageName, HtmlFile>> = {
  index: hydrated('sign-in', titles.index, 'sign-in-area/main.tsx'),
  area: hydrated('area', titles.area, 'sign-in-area/area.tsx'),
  account: hydrated('account', titles.account, 'account/account.tsx'),
  administration: filled('administration', titles.administration, 'administration/administration.tsx'),
  approve,
  'one-time-link': hydrated('one-time-link', titles['one-time-link'], 'mail-links/one-time-link.tsx'),
  'new-password': hydrated('new-password', titles['new-password'], 'mail-links/new-password.tsx'),
  'new-factor': hydrated('new-factor', titles['new-factor'], 'mail-links/new-factor.tsx'),
  'confirm-email': hydrated('confirm-email', titles['confirm-email'], 'mail-links/confirm-email.tsx'),
  'recovery-codes': hydrated('recovery-codes', titles['recovery-codes'], 'account/recovery-codes.tsx'),
  mailbox: plain('mailbox', `${titles.mailbox} · Gatehouse`, 'server-pages/mailbox.ts'),
  misconfiguration: plain('misconfiguration', 'Gatehouse', 'server-pages/misconfiguration.ts'),
  languages: plain('languages', 'Choose your language · Gatehouse', 'server-pages/languages.ts'),
  notice: plain('notice', 'Gatehouse', 'server-pages/notice.ts'),
}
