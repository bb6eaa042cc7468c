import { readVersion } from '../program.ts'
import type { Call } from './command.ts'

export const printVersion = async ({ write, data }: Call) => {
  const version = readVersion()
  write(`gatehouse ${version} (Node ${process.versions.node}, ${process.platform} ${process.arch})`)
  data({ gatehouse: version, node: process.versions.node, platform: process.platform, architecture: process.arch })
}
