import { text } from '../src/text.ts'

/** A catalog for the test of the modules. */
export const sample = { title: 'Sent', to: text('Sent to {address}', 'address') }
