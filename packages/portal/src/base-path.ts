/** The path under which the server answers, without a slash at the end; it stands in the page's head. */
export const basePath = () => {
  const content = document.querySelector<HTMLMetaElement>('meta[name="gatehouse-base"]')?.content ?? './'
  return new URL(content, document.baseURI).pathname.replace(/\/+$/, '')
}
