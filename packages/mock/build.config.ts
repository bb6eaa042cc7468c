import { cpSync } from 'node:fs'
import { resolve } from 'node:path'
import { defineConfig, type Plugin } from 'rolldown'
import { commandPackage } from '../conformance/build/command-package.ts'

const here = import.meta.dirname

/** The golden messages are data, which the mock reads when it starts. */
const messages: Plugin = {
  name: 'messages',
  writeBundle: () => cpSync(resolve(here, '../wire/fixtures'), resolve(here, 'dist/fixtures'), { recursive: true }),
}

export default defineConfig(commandPackage(here, [messages]))
