import { expect } from 'vitest'
import { makeInstallation, runCli, startProcess } from '../processes/processes.ts'

export const admin = { username: 'admin@example.com', password: 'a password for doctors' }

/** Runs it: how it ended, and what it says of each thing, as `level: sentence`. */
export const runDoctor = async (env: Record<string, string>) => {
  const { code, stdout, stderr } = await runCli(env, ['doctor'])
  expect(stderr).toBe('')
  const lines = stdout
    .trimEnd()
    .split('\n')
    .map(line => {
      const [, level = '', about = '', says = ''] = /^(ok|warning|problem) +(.{14}) (\S.*)$/.exec(line) ?? []
      expect([line, says]).not.toEqual([line, ''])
      return { level, about: about.trim(), text: `${level}: ${says}` }
    })
  const of = (about: string) => lines.filter(line => line.about === about).map(line => line.text)
  return { code, stdout, lines, of }
}

/** A server that runs as a process of its own, and what it was configured with. */
export const startInstallation = async (env: Record<string, string> = {}) => {
  const installation = await makeInstallation()
  const all = { ...installation.env, GATEHOUSE_ADMIN_PASSWORD: admin.password, ...env }
  const server = startProcess(all)
  return { ...installation, env: all, server, url: await server.ready, folder: installation.env.GATEHOUSE_DATA_DIR ?? '' }
}
