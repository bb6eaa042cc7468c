/** The username to send for a typed address (§5). */
export const usernameOf = (typed: string): string => typed.trim().toLowerCase()
