import { textIn } from '@gatehouse/language/text.ts'
import { renderToStaticMarkup } from 'react-dom/server'
import { expect, it } from 'vitest'
import { withElements } from './with-elements.tsx'

it('puts elements where the language needs them', () => {
  const added = <time>today</time>
  const used = <b>now</b>
  const english = textIn('en')('Added {added}, last used {used}', 'added', 'used')
  expect(renderToStaticMarkup(withElements(english, added, used))).toBe('Added <time>today</time>, last used <b>now</b>')
  const turned = textIn('ja')('{used}に使用、{added}に追加', 'added', 'used')
  expect(renderToStaticMarkup(withElements(turned, added, used))).toBe('<b>now</b>に使用、<time>today</time>に追加')
})
