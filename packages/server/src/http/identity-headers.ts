import type { Named } from '../forward-auth/rules/decision.ts'

/**
 * The user's identity for the protected application. All four headers are always set and never empty, so that a proxy that copies them
 * replaces those that a client sent.
 */
export const identityHeaders = (named: Named, isService = false) => {
  const { userIdent } = named
  // Headers hold ASCII. Usernames contain no '%', so encoded names stay unambiguous.
  const name = userIdent.replace(/[^!-~]+/gu, encodeURIComponent)
  return {
    'remote-user': name,
    'remote-email': name,
    'remote-groups': groupsOf(named, isService).join(','),
    'x-webauth-user': name,
  }
}

/** The user's groups as applications learn them: the role, then the names of the groups. */
export const groupsOf = ({ administrator, groups }: Named, isService = false): string[] => [
  isService ? 'services' : administrator ? 'administrators' : 'users',
  ...groups,
]
