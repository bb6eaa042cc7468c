import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { arbitraries } from './arbitraries.ts'
import { roundTrip, shapeOf, shapes } from './exported-shapes.ts'

/** Sends a value through JSON: `null` stays, `undefined` disappears. */
const onTheWire = (message: unknown): unknown => JSON.parse(JSON.stringify(message))

describe('random messages', () => {
  it('exist for every shape', () => {
    expect(Object.keys(arbitraries).toSorted()).toEqual([...shapes.keys()].toSorted())
  })

  it.each(Object.entries(arbitraries))('%s survives a round trip', (name, arbitrary) => {
    fc.assert(
      fc.property(arbitrary, message => {
        expect(roundTrip(shapeOf(name), onTheWire(message))).toStrictEqual(onTheWire(message))
      }),
    )
  })
})
