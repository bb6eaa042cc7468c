import { defineConfig } from 'rolldown'
import { commandPackage } from './build/command-package.ts'

export default defineConfig(commandPackage(import.meta.dirname))
