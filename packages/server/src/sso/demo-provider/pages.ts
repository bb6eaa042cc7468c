import { createHash } from 'node:crypto'

const style = `
:root { color-scheme: light dark; --page: #f3f5f8; --card: #fff; --text: #1a2330; --soft: #556172; --edge: #c6ced9; --hover: #f3f5f8; --note: #fdf3d8; --noteText: #5c4400; --ring: #2457c5 }
@media (prefers-color-scheme: dark) {
  :root { --page: #10151c; --card: #19202a; --text: #e6ebf2; --soft: #a3afbf; --edge: #47535f; --hover: #222b37; --note: #3a2f10; --noteText: #f3dc9a; --ring: #8fb0ff }
}
* { box-sizing: border-box }
body { margin: 0; min-height: 100vh; padding: 20px; display: flex; flex-direction: column; align-items: center; justify-content: center; background: var(--page); color: var(--text); font: 15px/1.5 system-ui, sans-serif }
main { width: 100%; max-width: 400px; padding: 32px; border-radius: 12px; border: 1px solid var(--edge); background: var(--card) }
h1 { margin: 0 0 8px; font-size: 22px; font-weight: 600 }
p { margin: 0 0 24px; color: var(--soft) }
strong, .who { color: var(--text); font-weight: 600 }
.demo { margin: 0 0 24px; padding: 12px 16px; border-radius: 8px; background: var(--note); color: var(--noteText) }
ul { margin: 0 0 24px; padding: 0; list-style: none }
li { margin: 0 0 8px }
a { color: inherit }
li a { display: block; padding: 8px 16px; border: 1px solid var(--edge); border-radius: 8px; text-decoration: none }
li a:hover { background: var(--hover) }
li span { display: block }
li .mail { color: var(--soft); font-size: 13px }
a:focus-visible { outline: 2px solid var(--ring); outline-offset: 2px }
`

/** The headers of every page: no scripts, no external content, no framing. */
export const headers = {
  'content-type': 'text/html; charset=utf-8',
  'content-security-policy': `default-src 'none'; style-src 'sha256-${createHash('sha256').update(style).digest('base64')}'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`,
  'cache-control': 'no-store',
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
}

const page = (title: string, body: string) => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title}</title>
<style>${style}</style>
</head>
<body><main>${body}</main></body>
</html>
`

const notReal = (imitated: string) =>
  `<p class="demo" role="note"><strong>Demo provider: this is not ${imitated}.</strong> It is part of this development server.</p>`

/** The page to choose a user. The users are constants, so their fields need no escaping. */
export const signInPage = (imitated: string, people: readonly { name: string; email: string; href: string }[], cancel: string) =>
  page(
    `Demo provider in place of ${imitated}`,
    `${notReal(imitated)}
<h1>Choose a demo user</h1>
<p>These people are made up. You need no password and don’t stay signed in here.</p>
<ul>${people
      .map(({ name, email, href }) => `<li><a href="${href}"><span class="who">${name}</span><span class="mail">${email}</span></a></li>`)
      .join('')}</ul>
<a href="${cancel}">Cancel</a>`,
  )

export const errorPage = (imitated: string, home: string) =>
  page(
    `Demo provider in place of ${imitated}`,
    `${notReal(imitated)}
<h1>This sign-in can’t continue</h1>
<p>It took too long, was started in another browser, or the server was restarted. Start again.</p>
<a href="${home}">Back to the sign-in page</a>`,
  )
