/** The server put an error into the title, of what was sent before the script came. Once something else is sent it is over. */
export const forgetErrorInTitle = () =>
  window.addEventListener('submit', () => (document.title = document.title.replace(/^Error: /, '')), { once: true })
