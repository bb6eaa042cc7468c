export const answer = (_, { pathname }) => pathname.startsWith('/api/auth/') && { body: null }
