import { expect } from 'vitest'
import { makeInstallation, runCli, startProcess } from '../processes/processes.ts'

export const admin = { username: 'admin@example.com', password: 'a password for doctors' }

/** Runs the doctor. @returns the exit code, and each finding as `level: sentence` */
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

/** A server process and its configuration. */
export const startInstallation = async (env: Record<string, string> = {}) => {
  const installation = await makeInstallation()
  const all = { ...installation.env, GATEHOUSE_ADMIN_PASSWORD: admin.password, ...env }
  const server = startProcess(all)
  return { ...installation, env: all, server, url: await server.ready, folder: installation.env.GATEHOUSE_DATA_DIR ?? '' }
}
