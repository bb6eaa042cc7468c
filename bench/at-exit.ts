import type { ChildProcess } from 'node:child_process'
import { rmSync } from 'node:fs'

const children = new Set<ChildProcess>()
const folders = new Set<string>()

process.once('exit', () => {
  // Stop the processes first. A running process would recreate its folder.
  for (const child of children) child.kill('SIGKILL')
  for (const folder of folders) rmSync(folder, { recursive: true, force: true })
})

/** Kills a child process when this process exits, except when SIGKILL ends this process. */
export const killAtExit = (child: ChildProcess) => {
  children.add(child)
  child.once('exit', () => children.delete(child))
}

export const removeAtExit = (folder: string) => folders.add(folder)
