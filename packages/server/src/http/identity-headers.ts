import type { Named } from '../forward-auth/rules/decision.ts'

/**
 * The user's identity for the protected application. All four headers are always set and never empty, so that a proxy that copies them
 * replaces those that a client sent.
 */
export const identityHeaders = ({ userIdent, administrator, groups }: Named, isService = false) => {
  const role = isService ? 'services' : administrator ? 'administrators' : 'users'
  // Headers hold ASCII. Usernames contain no '%', so encoded names stay unambiguous.
  const name = userIdent.replace(/[^!-~]+/gu, encodeURIComponent)
  return {
    'remote-user': name,
    'remote-email': name,
    'remote-groups': [role, ...groups].join(','),
    'x-webauth-user': name,
  }
}
