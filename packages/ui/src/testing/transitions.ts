import { expect, it } from 'vitest'

type Named = { is: string }
type Typed = { type: string }

/**
 * Tests every state with every event. `moves` holds the transitions, with keys such as 'NotSent submitted'. Every other pair
 * must return the same state object.
 */
export const testTransitions = <S extends Named, E extends Typed>(
  reduce: (state: S, event: E) => S,
  states: Record<string, S>,
  events: Record<string, E>,
  moves: Record<string, S>,
) => {
  for (const [from, state] of Object.entries(states)) {
    for (const [name, event] of Object.entries(events)) {
      const move = moves[`${from} ${name}`]
      it(`${from}, ${name} → ${move ? move.is : 'unchanged'}`, () => {
        const after = reduce(state, event)
        if (move) expect(after).toEqual(move)
        else expect(after).toBe(state)
      })
    }
  }
  it('lists no transition for a state or an event that does not exist', () => {
    const pairs = Object.keys(states).flatMap(from => Object.keys(events).map(event => `${from} ${event}`))
    expect(pairs).toEqual(expect.arrayContaining(Object.keys(moves)))
  })
}
