import { defineConfig } from 'rolldown'
import { testPackage } from '../conformance/build/command-package.ts'

export default defineConfig(testPackage(import.meta.dirname))
