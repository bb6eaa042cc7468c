import { execFile, spawn } from 'node:child_process'
import { chmod, copyFile, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'

const root = join(import.meta.dirname, '..')
const page = () => readFile(join(root, 'docs/getting-started.md'), 'utf8')

/** The ten commands of docs/getting-started.md, exactly as on the page, and the one for machines without public names. */
export const readCommands = async () => {
  const [, after = ''] = (await page()).split('\n## Protect Prometheus in ten commands\n')
  const [section = ''] = after.split('\n## ')
  const commands = [...section.matchAll(/^(\d+)\. [^\n]+(?:\n {3}[^ \n][^\n]*)*\n\n {7,8}(\S[^\n]*)\n/gm)]
  const [, local = ''] = /\*\*Without public names\*\*[\s\S]*?\n\n {4}(\S[^\n]*)\n/.exec(section) ?? []
  return { numbers: commands.map(([, number]) => Number(number)), commands: commands.map(([, , command = '']) => command), local }
}

/** Replaces `systemctl`: starts services from their unit files, because a chroot has no systemd. */
const systemctl = `#!/bin/bash
set -e
start() {
  unit=$(ls "/etc/systemd/system/$1.service" "/lib/systemd/system/$1.service" 2>/dev/null | head -n 1)
  value() { sed -n "s/^$1=-\\?//p" "$unit"; }
  user=$(value User)
  state=$(value StateDirectory)
  if [ -n "$state" ]; then install -d -m 0700 -o "$user" -g "$user" "/var/lib/$state"; fi
  (
    set -a
    for line in $(value Environment); do export "\${line?}"; done
    for file in $(value EnvironmentFile); do . "$file"; done
    HOME=$(getent passwd "$user" | cut -d: -f6)
    set +a
    eval "exec setsid runuser -u $user -- $(value ExecStart)"
  ) > "/var/log/$1.log" 2>&1 < /dev/null &
}
case $1 in
  daemon-reload) ;;
  enable) shift 2; for name; do start "$name"; done ;;
  restart) shift; for name; do start "$name"; done ;;
  *) echo "systemctl $1 is unknown here" >&2; exit 1 ;;
esac
`

/** Runs its arguments in a copy of this machine. Changes to files stay in a separate layer, and all processes end with the first one. */
const enter = `set -e
place=$1; shift
mount -t overlay overlay -o "lowerdir=/,upperdir=$place/upper,workdir=$place/work" "$place/root"
mount -t proc proc "$place/root/proc"
mount --rbind /dev "$place/root/dev"
mount -t tmpfs tmpfs "$place/root/run"
mount -t tmpfs tmpfs "$place/root/tmp"
if [ -e /proc/sys/net/ipv4/ip_unprivileged_port_start ]; then echo 0 > "$place/root/proc/sys/net/ipv4/ip_unprivileged_port_start"; fi
ip link set lo up 2>/dev/null || true
exec chroot "$place/root" "$@"`

/** Packs the server as a release does. */
const packServer = async (folder: string) => {
  const exec = promisify(execFile)
  const { NODE_ENV: _, npm_execpath: __, ...env } = process.env
  await exec(process.execPath, ['scripts/setup.mjs', 'package', 'server'], { cwd: root, env, maxBuffer: 2 ** 26 })
  await exec('npm', ['pack', join(root, 'packages/server/dist'), '--pack-destination', folder, '--loglevel=error'], { cwd: folder, env })
}

/** A copy of this machine with Node and npm, for the commands of docs/getting-started.md. */
export const createMachine = async () => {
  const place = await mkdtemp(join(tmpdir(), 'gatehouse-machine-'))
  for (const name of [
    'upper',
    'work',
    'root',
    'upper/opt',
    'upper/opt/first-steps',
    'upper/usr',
    'upper/usr/sbin',
    'upper/usr/local',
    'upper/usr/local/bin',
    'upper/usr/local/sbin',
  ])
    await mkdir(join(place, name), { mode: 0o755 })
  await chmod(place, 0o755)
  await packServer(join(place, 'upper/opt/first-steps'))
  const program = async (name: string, text: string) => writeFile(join(place, 'upper', name), text, { mode: 0o755 })
  await copyFile(process.execPath, join(place, 'upper/usr/local/bin/node'))
  await program('usr/local/sbin/systemctl', systemctl)
  // Keep packages from starting services while they are installed.
  await program('usr/sbin/policy-rc.d', '#!/bin/sh\nexit 101\n')
  // Keep the machine's network and certificate settings, and drop those of the tests.
  const own = Object.fromEntries(Object.entries(process.env).filter(([name]) => !/^(GATEHOUSE_|NODE_(?!EXTRA)|npm_|TMPDIR)/.test(name)))
  // Keep the original PATH too: npm can be in any folder.
  const path = ['/usr/local/sbin', '/usr/local/bin', '/usr/sbin', '/usr/bin', '/sbin', '/bin', own.PATH ?? '']
  const env = { ...own, PATH: path.join(':'), HOME: '/root', DEBIAN_FRONTEND: 'noninteractive' }

  /** Runs a bash script in the folder with the packed server. Resolves when `until` is in its output, or, without `until`, when it ends. */
  const run = (script: string, { network, until }: { network: 'outside' | 'own'; until?: string }) =>
    new Promise<{ said: () => string; namespace: () => Promise<string>; stop: () => Promise<void> }>((resolve, reject) => {
      const namespaces = ['--mount', '--propagation', 'private', '--pid', '--fork', '--kill-child', ...(network === 'own' ? ['--net'] : [])]
      const inside = ['bash', '-c', `cd /opt/first-steps\n${script}`]
      const child = spawn('unshare', [...namespaces, 'sh', '-c', enter, 'enter', place, ...inside], {
        env,
        stdio: ['ignore', 'pipe', 'pipe'],
      })
      let said = ''
      const ended = new Promise<void>(resolve => child.on('close', () => resolve()))
      const machine = {
        said: () => said,
        /** The path of the machine's network namespace, for nsenter. */
        namespace: async () => `/proc/${(await readFile(`/proc/${child.pid}/task/${child.pid}/children`, 'utf8')).trim()}/ns/net`,
        stop: async () => {
          child.kill('SIGKILL')
          await ended
        },
      }
      for (const stream of [child.stdout, child.stderr])
        stream.on('data', chunk => {
          said += chunk
          if (until !== undefined && said.includes(until)) resolve(machine)
        })
      child.on('close', code => (code === 0 && until === undefined ? resolve(machine) : reject(new Error(`ended with ${code}: ${said}`))))
    })
  return {
    run,
    log: (name: string) => readFile(join(place, 'upper/var/log', `${name}.log`), 'utf8').catch(() => ''),
    remove: () => rm(place, { recursive: true, force: true }),
  }
}
