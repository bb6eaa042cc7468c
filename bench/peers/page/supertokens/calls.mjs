export const answer = (_, { pathname }) => {
  if (!pathname.startsWith('/api/')) return undefined
  if (!pathname.includes('loginmethods')) return { status: 401, body: {} }
  const thirdParty = { enabled: true, providers: [] }
  return {
    body: {
      status: 'OK',
      emailPassword: { enabled: true },
      passwordless: { enabled: false },
      thirdParty,
      firstFactors: ['emailpassword', 'thirdparty'],
    },
  }
}
