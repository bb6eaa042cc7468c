import { text } from '@gatehouse/language/text.ts'
import type { AccountMessages } from './account-messages.ts'

/** The account page's time zone and language sections, in English. */
export const englishPreferences: Pick<AccountMessages, 'timeZone' | 'language'> = {
  timeZone: {
    heading: 'Time zone',
    label: 'Used for times here and in our emails.',
    open: 'Change time zone',
    title: 'Change your time zone',
    text: 'Used for times here and in our emails.',
    submit: 'Save',
    running: 'Saving',
    done: 'Time zone changed.',
    suggest: text('Use {zone} (this browser’s time zone)', 'zone'),
    regions: {
      Africa: 'Africa',
      America: 'America',
      Antarctica: 'Antarctica',
      Arctic: 'Arctic',
      Asia: 'Asia',
      Atlantic: 'Atlantic',
      Australia: 'Australia',
      Europe: 'Europe',
      Indian: 'Indian',
      Pacific: 'Pacific',
      UTC: 'UTC',
    },
  },
  language: {
    heading: 'Language',
    label: 'Used here and in our emails.',
    open: 'Change language',
    title: 'Change your language',
    text: 'Used here and in our emails.',
    automatic: 'Same as your browser',
    submit: 'Save',
    running: 'Saving',
  },
}
