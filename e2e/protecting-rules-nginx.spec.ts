import { testRules } from './protecting-rules.ts'

testRules('nginx')
