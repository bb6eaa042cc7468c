import { testPasses } from './protecting-passes.ts'

testPasses('caddy')
