export const securityCoverage: () => { page: string; unexplained: string[]; known: Set<string>; tested: string[] }
