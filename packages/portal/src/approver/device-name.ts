import { approverTexts as words } from '../messages/current.ts'

/** The suggested name of a phone, from its browser's user agent. */
export const nameOfDevice = (userAgent: string): string => {
  if (/\biPhone\b/.test(userAgent)) return 'iPhone'
  if (/\biPad\b/.test(userAgent)) return 'iPad'
  // Newer browsers send the letter K instead of the model.
  const [, model] = /\bAndroid [\d.]+; (?!Mobile\b|Tablet\b)([\w .+()-]{2,40}?)(?: Build\/|[;)])/.exec(userAgent) ?? []
  if (model) return model
  if (/\bAndroid\b/.test(userAgent)) return words.phoneNames.Android
  return words.phoneNames.other
}

/**
 * Whether the page must be on the home screen to keep its keys and receive notifications. Safari's tabs share no storage with such a page.
 */
export const wantsHomeScreen = ({ userAgent, standalone }: { userAgent: string; standalone?: boolean | undefined }) =>
  /\b(?:iPhone|iPad|iPod)\b/.test(userAgent) && standalone !== true
