import type { ChildProcess } from 'node:child_process'
import { rmSync } from 'node:fs'

const children = new Set<ChildProcess>()
const folders = new Set<string>()

process.once('exit', () => {
  // Before their folders go: they would make them anew.
  for (const child of children) child.kill('SIGKILL')
  for (const folder of folders) rmSync(folder, { recursive: true, force: true })
})

/** However this process ends, short of being killed, that one ends too. */
export const killAtExit = (child: ChildProcess) => {
  children.add(child)
  child.once('exit', () => children.delete(child))
}

export const removeAtExit = (folder: string) => folders.add(folder)
