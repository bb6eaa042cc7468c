/** Whether a server answers there, even if the browser hides the answer from the page. */
export const isReachable = (address: string): Promise<boolean> =>
  fetch(address, { mode: 'no-cors', credentials: 'omit' }).then(
    () => true,
    () => false,
  )
