/** The server's base path from the page's head, without a slash at the end. */
export const basePath = () => {
  const content = document.querySelector<HTMLMetaElement>('meta[name="gatehouse-base"]')?.content ?? './'
  return new URL(content, document.baseURI).pathname.replace(/\/+$/, '')
}
