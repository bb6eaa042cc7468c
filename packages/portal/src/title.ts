/** Removes the error that the server put into the title after a form without a script. It is outdated as soon as a form is sent. */
export const forgetErrorInTitle = () => {
  const title = document.querySelector<HTMLMetaElement>('meta[name=gatehouse-title]')?.content
  if (title) window.addEventListener('submit', () => (document.title = title), { once: true })
}
