import { expect, test } from 'vitest'
import { createFairQueue } from './fair-queue.ts'

type One = { flow: string; known: boolean; name: string }

const openQueue = ({ places = 100, flows = 1000 } = {}) => {
  const clock = { now: 0 }
  const queue = createFairQueue<One>({ places, knownEvery: 2, memory: { within: 60_000, flows } }, () => clock.now)
  let count = 0
  const add = (flow: string, known = false) => queue.add({ flow, known, name: `${flow}${++count}` })
  const serve = () => {
    const one = queue.next()
    if (one) queue.served(one)
    return one?.flow
  }
  return { queue, clock, add, serve, served: (flow: string, known = false) => queue.served({ flow, known }) }
}

test('serves the requests of one network in the order in which they came', () => {
  const { queue, add } = openQueue()
  for (let i = 0; i < 3; i++) add('a')
  expect([queue.next()?.name, queue.next()?.name, queue.next()?.name, queue.next()]).toEqual(['a1', 'a2', 'a3', undefined])
})

test('CC-04: serves networks in turn, however many requests each has waiting', () => {
  const { add, serve } = openQueue()
  for (let i = 0; i < 10; i++) add('flood')
  for (const flow of ['a', 'b', 'a']) add(flow)
  expect([serve(), serve(), serve(), serve(), serve(), serve()]).toEqual(['flood', 'a', 'b', 'flood', 'a', 'flood'])
})

test('CC-04: serves a network without recent turns before those with turns, even if they came first', () => {
  const { clock, add, serve } = openQueue()
  for (let i = 0; i < 500; i++) add(`flood${i % 50}`)
  for (let i = 0; i < 100; i++) serve()
  for (let i = 0; i < 50; i++) add(`flood${i}`)
  add('owner')
  expect(serve()).toBe('owner')
  // The queue remembers a network for at least half a minute, and forgets it after a minute.
  clock.now += 29_000
  add('owner')
  add('new')
  expect(serve()).toBe('new')
  expect(serve()).toBe('owner')
  clock.now += 61_000
  add('owner')
  expect(serve()).toMatch(/^flood/)
})

test('CC-04: a full queue drops the newest request of the greediest network, not the last arrival', () => {
  const { queue, add, served } = openQueue({ places: 4 })
  for (let i = 0; i < 3; i++) add('flood')
  add('a')
  expect(add('owner')).toMatchObject({ name: 'flood3' })
  expect(add('flood')).toMatchObject({ name: 'flood6' })
  expect(queue.size()).toBe(4)
  // Among networks with equally many waiting requests, the one served more loses.
  expect(add('b')).toMatchObject({ name: 'flood2' })
  served('b')
  expect(add('c')).toMatchObject({ flow: 'b' })
})

test('among equally greedy networks, drops the last arrival', () => {
  const { add } = openQueue({ places: 2 })
  for (const flow of ['a', 'b']) add(flow)
  expect(add('c')).toMatchObject({ flow: 'c' })
})

test('CC-04: known browsers have separate places and every second turn, and share turns by account', () => {
  const { add, serve } = openQueue({ places: 10 })
  for (let i = 0; i < 10; i++) add(`flood${i}`)
  for (let i = 0; i < 8; i++) expect(add('insider', true)).toBeUndefined()
  expect(add('owner', true)).toBeUndefined()
  const order = Array.from({ length: 8 }, serve)
  expect(order.filter(flow => flow?.startsWith('flood'))).toHaveLength(4)
  expect(order.filter(flow => flow === 'owner')).toHaveLength(1)
  expect(order.indexOf('owner')).toBeLessThan(4)
})

test('CC-04: known browsers get every turn while no stranger waits, and strangers while no known browser waits', () => {
  const { add, serve } = openQueue()
  add('a', true)
  add('a', true)
  expect([serve(), serve(), serve()]).toEqual(['a', 'a', undefined])
  add('b')
  add('c')
  expect([serve(), serve(), serve()]).toEqual(['b', 'c', undefined])
})

test('a request that gave up waiting takes no turn', () => {
  const { queue, serve } = openQueue()
  const [one, other] = ['a', 'b'].map(flow => ({ flow, known: false, name: flow }))
  if (!one || !other) throw new Error('there are two')
  for (const each of [one, other]) queue.add(each)
  queue.remove(one)
  queue.remove(one)
  expect([queue.size(), serve(), serve()]).toEqual([1, 'b', undefined])
})

test('CC-04: remembers a bounded number of networks', () => {
  const { queue, add, serve, served } = openQueue({ flows: 100 })
  for (let i = 0; i < 50; i++) served('greedy')
  for (let i = 0; i < 99; i++) served(`network${i}`)
  add('greedy')
  add('new')
  expect(serve()).toBe('new')
  for (let i = 0; i < 10_000; i++) served(`other${i}`)
  add('greedy')
  add('newer')
  // After the flood, the queue no longer remembers the turns of `greedy`.
  expect([serve(), queue.size()]).toEqual(['greedy', 2])
})

/**
 * A deterministic model of the flood in the requirement: 240 wrong attempts a second from 500 networks, 100 turns a second, and
 * owners who try every 2 s until they are served.
 */
test('CC-04: in a flood from 500 networks every owner is served within seconds, and known browsers at once', () => {
  const { queue, clock, add, serve } = openQueue({ places: 32 })
  const waits: { known: number[]; unknown: number[] } = { known: [], unknown: [] }
  const owners = new Map<string, { known: boolean; since: number; next: number }>()
  let attempts = 0
  let turns = 0
  for (clock.now = 0; clock.now < 60_000; clock.now += 10) {
    while (attempts < (clock.now * 240) / 1000) add(`flood${attempts++ % 500}`)
    if (clock.now % 1000 === 0) {
      for (const known of [true, false]) owners.set(`owner${known}${clock.now}`, { known, since: clock.now, next: clock.now })
    }
    for (const [flow, owner] of owners) {
      if (owner.next > clock.now) continue
      add(flow, owner.known)
      owner.next = clock.now + 2000
    }
    while (turns < clock.now / 10) {
      turns++
      const flow = serve() ?? ''
      const owner = owners.get(flow)
      if (owner) waits[owner.known ? 'known' : 'unknown'].push(clock.now - owner.since)
      owners.delete(flow)
    }
  }
  expect([waits.known.length, waits.unknown.length]).toEqual([60, 60])
  expect(Math.max(...waits.known)).toBeLessThanOrEqual(100)
  // In the first seconds every network of the flood is as new as the owners, so some owners try three times.
  expect(Math.max(...waits.unknown)).toBeLessThan(5000)
  expect(Math.max(...waits.unknown.slice(10))).toBeLessThanOrEqual(100)
  expect(queue.size()).toBeLessThanOrEqual(64)
})
