// Provides Node 24 and the npm packages. Runs on Node 20, before anything is installed.
import { spawnSync } from 'node:child_process'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { delimiter, dirname, join } from 'node:path'
import { Failed, hashOf, must, onceFor, root, run, step, tools } from './steps.mjs'

const node24 = '24.21.0'

/** Returns the command that runs npm with the given Node. npm omits packages that its own Node is too old for. */
export const npm = (node, args) => {
  const cli = process.env.npm_execpath
  const env = { ...process.env, PATH: `${dirname(node)}${delimiter}${process.env.PATH}` }
  return cli?.endsWith('.js') ? [node, [cli, ...args], { env }] : ['npm', args, { env, shell: process.platform === 'win32' }]
}

const works = program => spawnSync(program, ['--version'], { stdio: 'ignore' }).status === 0

/** From Node 24.9 on, a server can choose which protocol upgrades it accepts. Older versions accept all. */
const isNewEnough = version => {
  const [major, minor] = version.split('.').map(Number)
  return major > 24 || (major === 24 && minor >= 9)
}

/** The path of Node 24.9 or later: the current one, or one from the npm package `node` in this project's folder. */
export const ensureNode = async () => {
  if (isNewEnough(process.versions.node)) return process.execPath
  const inPackage = name => join(tools, 'node_modules', name, 'bin', process.platform === 'win32' ? 'node.exe' : 'node')
  const platform = `node-${process.platform === 'win32' ? 'win' : process.platform}-${process.arch}`
  const found = () => [inPackage('node'), inPackage(platform)].find(works)
  const before = found()
  if (before) return before
  mkdirSync(tools, { recursive: true })
  writeFileSync(join(tools, 'package.json'), '{ "private": true }\n')
  const install = name =>
    run(...npm(process.execPath, ['install', '--prefix', tools, '--no-save', '--loglevel=error', `${name}@${node24}`]))
  await step(`Downloading Node ${node24} (found ${process.versions.node}, need 24.9 or later)`, async () => {
    await install('node')
    // If npm runs no install scripts, the package stays empty. The program that the script would download also has a separate package.
    if (!found()) await install(platform)
  })
  const node = found()
  if (!node) throw new Failed(`npm could not install Node ${node24}. Install Node 24.9 or later yourself and run this command again.`)
  return node
}

export const ensurePackages = node =>
  onceFor(
    join(root, 'node_modules', '.gatehouse-packages'),
    hashOf(readFileSync(join(root, 'package-lock.json')), spawnSync(node, ['--version']).stdout),
    'Installing packages',
    // With NODE_ENV=production, npm would omit the build tools.
    () => must('Installing packages', ...npm(node, ['ci', '--include=dev', '--loglevel=error'])),
  )

/** The arguments with which Node runs a program of an installed package. */
export const script = (name, ...args) => [join(root, 'node_modules', name), ...args]
