/** Removes the error that the server put into the title after a form without a script. It is outdated as soon as a form is sent. */
export const forgetErrorInTitle = () =>
  window.addEventListener('submit', () => (document.title = document.title.replace(/^Error: /, '')), { once: true })
