import type { ChildProcess } from 'node:child_process'
import { rmSync } from 'node:fs'

const children = new Set<ChildProcess>()
const folders = new Set<string>()

process.once('exit', () => {
  // Stop the processes first: they would create their folders again.
  for (const child of children) child.kill('SIGKILL')
  for (const folder of folders) rmSync(folder, { recursive: true, force: true })
})

/** Kills a child process when this one exits. Has no effect if this process is killed by SIGKILL. */
export const killAtExit = (child: ChildProcess) => {
  children.add(child)
  child.once('exit', () => children.delete(child))
}

export const removeAtExit = (folder: string) => folders.add(folder)
