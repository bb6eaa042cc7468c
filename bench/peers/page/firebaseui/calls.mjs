export const answer = (_, { pathname }) => /^\/(v1|__)\//.test(pathname) && { body: {} }
