import { type BoardRange, boardRanges, type UserFilter, userFilters } from '@gatehouse/wire'

/** What the administration page shows; all of it stands in its address, so that going back and loading again work. */
export type Place =
  | { at: 'board'; range: BoardRange }
  | { at: 'users' | 'second-factors'; search: string; filter: UserFilter; after: string | undefined }
  | { at: 'user'; userId: string }
  | { at: 'mails' }

export const allUsers: Place = { at: 'users', search: '', filter: 'All', after: undefined }
export const factorFilters = ['WithoutFactor', 'Skipped'] as const

const oneOf = <T extends string>(all: readonly T[], text: string | null): T | undefined => all.find(one => one === text)

/** Reads an address; what it does not know becomes the nearest place that there is. */
export const placeOf = (pathname: string, query: string): Place => {
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

/** The address of a place, below the path under which the server answers. */
export const addressOf = (place: Place): string => {
  switch (place.at) {
    case 'board':
      return address('', { range: place.range === 'Day' ? undefined : place.range })
    case 'users':
      return address('/users', { search: place.search, filter: place.filter === 'All' ? undefined : place.filter, after: place.after })
    case 'second-factors':
      return address('/second-factors', { filter: place.filter === 'WithoutFactor' ? undefined : place.filter, after: place.after })
    case 'user':
      return address('/user', { id: place.userId })
    case 'mails':
      return address('/mails', {})
  }
}
