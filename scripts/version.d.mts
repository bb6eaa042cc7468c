export const versionOf: (changelog: string) => string | undefined
export const readVersion: (root: string) => string
