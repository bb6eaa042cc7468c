/** What to call a phone before its owner says otherwise, by what its browser says of it. */
export const nameOfDevice = (userAgent: string): string => {
  if (/\biPhone\b/.test(userAgent)) return 'iPhone'
  if (/\biPad\b/.test(userAgent)) return 'iPad'
  // Browsers tell the letter K in place of the model by and by.
  const [, model] = /\bAndroid [\d.]+; (?!Mobile\b|Tablet\b)([\w .+()-]{2,40}?)(?: Build\/|[;)])/.exec(userAgent) ?? []
  if (model) return model
  if (/\bAndroid\b/.test(userAgent)) return 'Android phone'
  return 'This device'
}

/** Where only what is on the home screen keeps its keys and is woken: the browser's own tabs share nothing with it. */
export const wantsHomeScreen = ({ userAgent, standalone }: { userAgent: string; standalone?: boolean | undefined }) =>
  /\b(?:iPhone|iPad|iPod)\b/.test(userAgent) && standalone !== true
