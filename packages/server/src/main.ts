// `npm start` and `npm run dev` run this. An installed package has `gatehouse start`.
import { startServer } from './server-process.ts'

// Set-up runs this so that Node caches the compiled files, and the first start is as fast as later ones.
if (process.argv.includes('--only-load')) {
  await import('./passwords/hash-worker.ts')
  process.exit(0)
}

await startServer({
  pages: process.argv.find(argument => argument.startsWith('--pages='))?.slice('--pages='.length),
  demoProvider: process.argv.includes('--demo-provider'),
})
