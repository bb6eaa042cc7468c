// Prepares a machine that has only git, Node 20 or later and npm, then runs the requested command:
// node scripts/setup.mjs start | dev | test | test:long | check | e2e | gallery | brand | bench | cli | translate | pack | release
// Plain JavaScript without dependencies, because it runs before anything is installed, on Node 20 and later.
import { mkdtempSync, rmSync } from 'node:fs'
import { availableParallelism, tmpdir } from 'node:os'
import { join } from 'node:path'
import {
  builtPackages,
  compiled,
  ensureAllPackages,
  ensureCompiled,
  ensurePages,
  ensureServerPackage,
  lean,
  serverSource,
} from './builds.mjs'
import { ensureBrowser, ensureBrowsers } from './chromium.mjs'
import { become } from './foreground.mjs'
import { ensureNode, ensurePackages, script } from './node.mjs'
import { packPackage, publicPackages } from './pack.mjs'
import { createRelease } from './release.mjs'
import { Failed, root, run, say } from './steps.mjs'
import { checkSources, runPlaywright, runVitest } from './suites.mjs'
import { createSummary } from './test-summary.mjs'

/** The file of each benchmark. */
const benches = {
  timing: 'timing',
  'forward-auth': 'forward-auth',
  administration: 'administration',
  server: 'server-peers',
  scale: 'scale',
  page: 'page',
}

/** The number of malloc arenas. With glibc's default of eight per core, an idle server uses 15 MB more. */
const fewArenas = { MALLOC_ARENA_MAX: process.env.MALLOC_ARENA_MAX ?? '2' }

const main = async ([command, ...args]) => {
  const summary = createSummary({ root, run, say })
  const node = await ensureNode()
  await ensurePackages(node)
  // For file access and DNS on machines with few cores. Passwords have their own threads; benchmarks hash on these, one per core.
  const threads = { UV_THREADPOOL_SIZE: process.env.UV_THREADPOOL_SIZE ?? String(availableParallelism() + 4) }
  switch (command) {
    case 'start':
      await ensurePages(node)
      await ensureCompiled(node)
      return become(node, [...lean, join(serverSource, 'main.ts'), '--demo-provider'], { ...threads, ...fewArenas, ...compiled })
    case 'dev':
      return become(node, [join(root, 'packages/portal/dev/dev.ts')], { ...threads, ...compiled })
    case 'cli':
      return become(node, [join(serverSource, 'cli/cli.ts'), ...args], compiled)
    case 'translate':
      // English comes from the packages' sources, not from a build.
      return become(node, ['--conditions=gatehouse-source', join(root, 'packages/language/build/translator/translate.ts'), ...args])
    case 'check':
      await ensureServerPackage(node)
      await ensureCompiled(node)
      await checkSources(node)
      await runVitest(node, summary, 'check')
      return summary.close()
    case 'e2e':
      await ensurePages(node)
      await ensureCompiled(node)
      await ensureAllPackages(node)
      await runPlaywright(node, summary, 'all', args)
      return summary.close()
    case 'release':
      await createRelease(node)
      return
    case 'package': {
      const build = builtPackages[args[0]]
      if (!build) throw new Failed(`Usage: node scripts/setup.mjs package ${Object.keys(builtPackages).join(' | ')}`)
      return build(node)
    }
    case 'pack': {
      if (args.length === 0 || args.some(name => !publicPackages.includes(name)))
        throw new Failed(`Usage: npm run pack -- ${publicPackages.join(' | ')}`)
      for (const name of args) await packPackage(node, name, process.env.INIT_CWD ?? process.cwd())
      return
    }
    case 'gallery':
      return become(node, [...script('vite/bin/vite.js', 'packages/portal/gallery'), ...args])
    case 'brand': {
      if (args[0] !== 'preview') throw new Failed('Usage: npm run brand -- preview [options of Vite]')
      await ensurePages(node)
      // Use a folder per preview: a second preview must not delete the files of a running one.
      const folder = mkdtempSync(join(tmpdir(), 'gatehouse-brand-'))
      process.on('exit', () => rmSync(folder, { recursive: true, force: true }))
      if ((await run(node, [join(serverSource, 'cli/brand-preview.ts'), folder])) !== 0) process.exit(1)
      const gallery = [...script('vite/bin/vite.js', 'packages/portal/gallery'), ...args.slice(1)]
      return become(node, gallery, { GALLERY_BRAND: folder })
    }
    case 'bench': {
      const [bench, ...more] = args
      if (!Object.hasOwn(benches, bench ?? ''))
        throw new Failed(`Usage: npm run bench -- ${Object.keys(benches).join(' | ')} [arguments, see bench/README.md]`)
      await ensurePages(node)
      await ensureCompiled(node)
      const browser = bench === 'page' ? { CHROMIUM: await ensureBrowser(node) } : {}
      return become(node, [join(root, `bench/${benches[bench]}.ts`), ...more], { ...threads, ...compiled, ...browser })
    }
    case 'test':
    case 'test:long': {
      const suite = command === 'test' ? 'short' : 'long'
      // Download the browser during the builds: a download takes almost no processor time.
      const browsers = ensureBrowsers(node)
      browsers.catch(() => {})
      await ensureServerPackage(node)
      await ensureCompiled(node)
      await ensureAllPackages(node)
      await browsers
      // Tests mostly wait for hash threads, server starts and clocks. The checks use that time.
      const checks = suite === 'short' ? checkSources(node, { background: true }).catch(error => error) : undefined
      await runVitest(node, summary, suite)
      const problem = await checks
      if (problem instanceof Error) {
        summary.close()
        throw problem
      }
      await runPlaywright(node, summary, suite)
      if (suite === 'long') await runPlaywright(node, summary, 'alone')
      return summary.close()
    }
    default:
      throw new Failed(
        'Usage: node scripts/setup.mjs start | dev | test | test:long | check | e2e | gallery | brand | bench | cli | translate | pack | release',
      )
  }
}

try {
  await main(process.argv.slice(2))
} catch (error) {
  say(`Gatehouse: ${error instanceof Failed ? error.message : error.stack}`)
  process.exit(1)
}
