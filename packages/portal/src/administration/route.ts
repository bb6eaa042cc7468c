import { type BoardRange, boardRanges, type UserFilter, userFilters } from '@gatehouse/wire'

/** What the administration page shows. All of it is in the address, so that Back and Reload work. */
export type Route =
  | { at: 'board'; range: BoardRange }
  | { at: 'users' | 'second-factors'; search: string; filter: UserFilter; after: string | undefined }
  | { at: 'user'; userId: string }
  | { at: 'mails' }

export const allUsers: Route = { at: 'users', search: '', filter: 'All', after: undefined }
export const factorFilters = ['WithoutFactor', 'Skipped'] as const

const oneOf = <T extends string>(all: readonly T[], text: string | null): T | undefined => all.find(one => one === text)

/** Reads an address. An unknown one becomes the nearest route. */
export const routeOf = (pathname: string, query: string): Route => {
  const asked = new URLSearchParams(query)
  const text = (name: string) => asked.get(name) ?? ''
  const after = text('after') || undefined
  switch (/\/administration\/([\w-]+)\/?$/.exec(pathname)?.[1]) {
    case 'users':
      return { at: 'users', search: text('search'), filter: oneOf(userFilters, asked.get('filter')) ?? 'All', after }
    case 'second-factors':
      return { at: 'second-factors', search: '', filter: oneOf(factorFilters, asked.get('filter')) ?? 'WithoutFactor', after }
    case 'user':
      return text('id') ? { at: 'user', userId: text('id') } : allUsers
    case 'mails':
      return { at: 'mails' }
    default:
      return { at: 'board', range: oneOf(boardRanges, asked.get('range')) ?? 'Day' }
  }
}

const address = (path: string, query: Record<string, string | undefined>) => {
  const asked = new URLSearchParams(Object.entries(query).filter((entry): entry is [string, string] => Boolean(entry[1])))
  return `/administration${path}${asked.size > 0 ? `?${asked}` : ''}`
}

/** The address of a route, below the server's base path. */
export const addressOf = (route: Route): string => {
  switch (route.at) {
    case 'board':
      return address('', { range: route.range === 'Day' ? undefined : route.range })
    case 'users':
      return address('/users', { search: route.search, filter: route.filter === 'All' ? undefined : route.filter, after: route.after })
    case 'second-factors':
      return address('/second-factors', { filter: route.filter === 'WithoutFactor' ? undefined : route.filter, after: route.after })
    case 'user':
      return address('/user', { id: route.userId })
    case 'mails':
      return address('/mails', {})
  }
}
