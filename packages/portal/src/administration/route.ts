import {
  type BoardRange,
  boardRanges,
  type PassHolders,
  passHolders,
  type UserFilter,
  type UserSort,
  userFilters,
  userSorts,
} from '@gatehouse/wire'
import { everyShown, type Shown } from './look.ts'

export type ListRoute = {
  at: 'users' | 'second-factors'
  search: string
  filter: UserFilter
  sort: UserSort
  descending: boolean
  after: string | undefined
}

/** With `userId` or `service`, the passes of this owner. */
export type PassRoute = {
  at: 'passes'
  search: string
  holders: PassHolders
  userId?: string | undefined
  service?: string | undefined
  after: string | undefined
}

/** The state of the administration page. All of it is in the address, so Back and Reload work. */
export type Route =
  | { at: 'board'; range: BoardRange }
  /** The sign-in steps that a bar or a tile of the board counts: those since `from` and before `until`. */
  | { at: 'attempts'; look: Shown; from: string; until: string; after: string | undefined }
  | ListRoute
  | { at: 'user'; userId: string }
  | { at: 'mails' }
  | PassRoute

const byAddress = { sort: 'Address', descending: false, after: undefined } as const
export const allUsers: ListRoute = { at: 'users', search: '', filter: 'All', ...byAddress }
export const withoutFactor: ListRoute = { at: 'second-factors', search: '', filter: 'WithoutFactor', ...byAddress }
export const allPasses: PassRoute = { at: 'passes', search: '', holders: 'All', after: undefined }
export const factorFilters = ['WithoutFactor', 'Skipped'] as const

const oneOf = <T extends string>(all: readonly T[], text: string | null): T | undefined => all.find(one => one === text)
const instantIn = (text: string | null): string | undefined =>
  text !== null && /^\d{4}-\d\d-\d\dT[\d:.]+Z$/.test(text) && !Number.isNaN(Date.parse(text)) ? text : undefined

/** Reads an address. An unknown address becomes the nearest route. */
export const routeOf = (pathname: string, query: string): Route => {
  const asked = new URLSearchParams(query)
  const text = (name: string) => asked.get(name) ?? ''
  const after = text('after') || undefined
  const order = { sort: oneOf(userSorts, asked.get('sort')) ?? 'Address', descending: asked.has('descending'), after }
  const board: Route = { at: 'board', range: oneOf(boardRanges, asked.get('range')) ?? 'Day' }
  switch (/\/administration\/([\w-]+)\/?$/.exec(pathname)?.[1]) {
    case 'users':
      return { at: 'users', search: text('search'), filter: oneOf(userFilters, asked.get('filter')) ?? 'All', ...order }
    case 'second-factors':
      return { at: 'second-factors', search: '', filter: oneOf(factorFilters, asked.get('filter')) ?? 'WithoutFactor', ...order }
    case 'user':
      return text('id') ? { at: 'user', userId: text('id') } : allUsers
    case 'mails':
      return { at: 'mails' }
    case 'passes': {
      const [userId, service] = [text('user'), text('service')]
      if (userId) return { ...allPasses, userId, after }
      if (service) return { ...allPasses, service, after }
      return { at: 'passes', search: text('search'), holders: oneOf(passHolders, asked.get('holders')) ?? 'All', after }
    }
    case 'sign-ins': {
      const [look, from, until] = [oneOf(everyShown, asked.get('show')), instantIn(asked.get('from')), instantIn(asked.get('until'))]
      return look && from && until ? { at: 'attempts', look, from, until, after } : board
    }
    default:
      return board
  }
}

const address = (path: string, query: Record<string, string | false | undefined>) => {
  const asked = new URLSearchParams(Object.entries(query).filter((entry): entry is [string, string] => Boolean(entry[1])))
  return `/administration${path}${asked.size > 0 ? `?${asked}` : ''}`
}
const orderOf = ({ sort, descending, after }: ListRoute) => ({
  sort: sort !== 'Address' && sort,
  descending: descending && 'yes',
  after,
})

/** The address of a route, below the server's base path. */
export const addressOf = (route: Route): string => {
  switch (route.at) {
    case 'board':
      return address('', { range: route.range !== 'Day' && route.range })
    case 'attempts':
      return address('/sign-ins', { show: route.look, from: route.from, until: route.until, after: route.after })
    case 'users':
      return address('/users', { search: route.search, filter: route.filter !== 'All' && route.filter, ...orderOf(route) })
    case 'second-factors':
      return address('/second-factors', { filter: route.filter !== 'WithoutFactor' && route.filter, ...orderOf(route) })
    case 'user':
      return address('/user', { id: route.userId })
    case 'mails':
      return address('/mails', {})
    case 'passes': {
      const { search, holders, userId, service, after } = route
      return address('/passes', { search, holders: holders !== 'All' && holders, user: userId, service, after })
    }
  }
}
