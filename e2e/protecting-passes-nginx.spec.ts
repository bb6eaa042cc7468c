import { testPasses } from './protecting-passes.ts'

testPasses('nginx')
