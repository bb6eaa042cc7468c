import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { arbitraries } from './arbitraries.ts'
import { shapeOf, shapes, thereAndBack } from './door.ts'

/** As JSON carries it: an own `null` stays, `undefined` goes. */
const onTheWire = (message: unknown): unknown => JSON.parse(JSON.stringify(message))

describe('random messages', () => {
  it('exist for every shape', () => {
    expect(Object.keys(arbitraries).toSorted()).toEqual([...shapes.keys()].toSorted())
  })

  it.each(Object.entries(arbitraries))('%s comes back as it went', (name, arbitrary) => {
    fc.assert(
      fc.property(arbitrary, message => {
        expect(thereAndBack(shapeOf(name), onTheWire(message))).toStrictEqual(onTheWire(message))
      }),
    )
  })
})
