import { renderToString } from 'react-dom/server'
import { expect, it } from 'vitest'
import { deriveAccent, SignIn } from './index.ts'

// e2e/accent.spec.ts derives accents in a browser, in other notations.

it('derives custom properties of both themes without a document', () => {
  expect(deriveAccent('#0B6B5D')).toMatchObject({
    '--gatehouse-accent': expect.stringMatching(/^light-dark\(#0b6b5d, #\w{6}\)$/),
    '--gatehouse-link': expect.stringMatching(/^light-dark\(#0b6b5d, #\w{6}\)$/),
  })
  expect(Object.keys(deriveAccent('#ffd400'))).toHaveLength(7)
})

it.each(['teal', '#0b6', '#0b6b5d80', 'red;color:blue', ''])('refuses %j without a document', color => {
  expect(() => deriveAccent(color)).toThrow(TypeError)
})

it('sets the accent on the widget alone', () => {
  expect(renderToString(<SignIn accent={deriveAccent('#0b6b5d')} />)).toMatch(
    /^<div [^>]*data-gatehouse=""[^>]* style="--gatehouse-accent:light-dark\(#0b6b5d/,
  )
  expect(renderToString(<SignIn />)).not.toContain('style=')
})
