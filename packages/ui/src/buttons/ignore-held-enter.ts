/** Ignores key repeats of Enter. Otherwise holding Enter would send a form again as soon as the first reply arrives. */
export const ignoreHeldEnter = (event: { key: string; repeat: boolean; preventDefault: () => void }) => {
  if (event.key === 'Enter' && event.repeat) event.preventDefault()
}
