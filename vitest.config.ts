import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    projects: [
      { test: { name: 'wire', root: 'packages/wire', include: ['{src,test}/**/*.test.ts'] } },
      { test: { name: 'sign-in', root: 'packages/sign-in', include: ['src/**/*.test.{ts,tsx}'] } },
      { test: { name: 'server', root: 'packages/server', include: ['{src,test}/**/*.test.ts'], testTimeout: 30_000 } },
    ],
  },
})
