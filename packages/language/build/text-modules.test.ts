import { expect, test } from 'vitest'
import { textModules } from './text-modules.ts'

const file = new URL('./text-modules.fixture.ts', import.meta.url).pathname

test('makes modules for the English texts, their loader and the list of languages, and refuses unknown parts and languages', async () => {
  const { load } = textModules({ sample: { file, name: 'sample' } })
  if (typeof load !== 'function') throw new TypeError('load is a function')
  const module = (id: string) => Reflect.apply(load, undefined, [`\0gatehouse:${id}`])
  expect(await module('texts/sample/en')).toBe(`export { sample as texts } from ${JSON.stringify(file)}`)
  expect(await module('texts/sample')).toContain('"en": retriable(() => import("gatehouse:texts/sample/en"))')
  expect(await module('languages')).toContain('{"tag":"en","name":"English"}')
  await expect(module('texts/other/en')).rejects.toThrow('no module gatehouse:texts/other/en')
  await expect(module('texts/sample/xx')).rejects.toThrow('no translation xx')
})
