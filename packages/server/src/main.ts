// `npm start` and `npm run dev` run this. An installed package has `gatehouse start`.
import { startServer } from './server-process.ts'

// The set-up script (scripts/setup.mjs) runs this so that Node caches the compiled files. The first start is then as fast as later ones.
if (process.argv.includes('--only-load')) {
  await import('./passwords/hash-worker.ts')
  process.exit(0)
}

await startServer({
  pages: process.argv.find(argument => argument.startsWith('--pages='))?.slice('--pages='.length),
  demoProvider: process.argv.includes('--demo-provider'),
})
