// Steps of the set-up: run a program, print how long it took, and skip what is done already.
import { spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { setPriority } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

export const root = join(dirname(fileURLToPath(import.meta.url)), '..')
export const tools = join(root, '.tools')

/** A failed step. The message says what to do. */
export class Failed extends Error {}

export const say = line => process.stderr.write(`${line}\n`)

/** Prints a step and its duration. */
export const step = async (what, work) => {
  say(`  ${what} …`)
  const start = Date.now()
  const result = await work()
  say(`  ${what}: done in ${((Date.now() - start) / 1000).toFixed(1)} s`)
  return result
}

/** Runs a program until it ends. Its output goes to ours. `background`: the program runs with the lowest priority. */
export const run = (program, args, { background = false, ...options } = {}) =>
  new Promise((resolve, reject) => {
    const child = spawn(program, args, { cwd: root, stdio: ['ignore', 2, 2], ...options })
    // Use the same priority as the server's hash threads (niceness 19). With a higher priority, this program would delay the hash threads,
    // and the tests that wait for them.
    if (background && child.pid) setPriority(child.pid, 19)
    child.on('error', reject)
    // If the options ask for pipes, show the output only if the program fails.
    const chunks = []
    for (const stream of [child.stdout, child.stderr]) stream?.on('data', chunk => chunks.push(chunk))
    child.on('close', (code, signal) => {
      if (code !== 0) process.stderr.write(Buffer.concat(chunks))
      resolve(code ?? (signal ? 1 : 0))
    })
  })

export const must = async (what, ...command) => {
  const code = await run(...command)
  if (code !== 0) throw new Failed(`${what} failed (exit ${code}); see above.`)
}

export const hashOf = (...parts) => parts.reduce((hash, part) => hash.update(part).update('\0'), createHash('sha256')).digest('hex')

/** Does the work unless it has already been done with the same inputs. */
export const onceFor = async (stampFile, ingredients, what, work) => {
  if (existsSync(stampFile) && readFileSync(stampFile, 'utf8') === ingredients) return
  await step(what, work)
  mkdirSync(dirname(stampFile), { recursive: true })
  writeFileSync(stampFile, ingredients)
}
