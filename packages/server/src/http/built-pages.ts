import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'

/** What the portal's build left: HTML files, their assets, and a function that renders a page. */
export type BuiltPages = Awaited<ReturnType<typeof loadBuiltPages>>

export type Notice = { title: string; text: string; action: { label: string; href: string } }

/**
 * Loads the built pages.
 * @param folder the portal's `dist`
 * @param basePath path of the public address, without a slash at its end
 */
export const loadBuiltPages = async (folder: string, basePath: string) => {
  const client = join(folder, 'client')
  const read = async (page: string) => (await readFile(join(client, `${page}.html`), 'utf8')).replaceAll('="./', `="${basePath}/`)
  const [signIn, account, notice] = await Promise.all(['index', 'account', 'notice'].map(read))
  if (!signIn || !account || !notice) throw new Error('a page is empty')
  const { renderPage }: { renderPage: (page: 'account' | 'notice', props: unknown) => string } = await import(
    pathToFileURL(join(folder, 'render.js')).href
  )
  const fill = (html: string, page: 'account' | 'notice', props: unknown) =>
    html
      .replace('<!--app-->', () => renderPage(page, props))
      // '<' is escaped so that no text can end the script element it stands in.
      .replace(/(id="gatehouse-props">)null/, (_, start: string) => start + JSON.stringify(props).replaceAll('<', '\\u003c'))
  return {
    assets: join(client, 'assets'),
    signIn: () => signIn,
    account: (props: { username: string; administrator: boolean }) => fill(account, 'account', props),
    notice: (props: Notice) => fill(notice, 'notice', props),
  }
}
