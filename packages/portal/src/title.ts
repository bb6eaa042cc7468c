/** After a form without a script, the server puts its error into the title. Removes that error when the user next sends a form. */
export const forgetErrorInTitle = () => {
  const title = document.querySelector<HTMLMetaElement>('meta[name=gatehouse-title]')?.content
  if (title) window.addEventListener('submit', () => (document.title = title), { once: true })
}
