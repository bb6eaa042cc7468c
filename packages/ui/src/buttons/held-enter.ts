/** Enter held down would press a button, or send a form, again as soon as the answer is there: only its first press counts. */
export const ignoreHeldEnter = (event: { key: string; repeat: boolean; preventDefault: () => void }) => {
  if (event.key === 'Enter' && event.repeat) event.preventDefault()
}
