import dns from 'node:dns'
import { lookup } from './protecting-requests.ts'

// Preloaded into the command line, so that the recipes' host names resolve to this machine.
Object.assign(dns, { lookup })
