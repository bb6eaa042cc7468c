import dns from 'node:dns'
import { lookup } from './protecting-requests.ts'

// Loaded before the command line, for which the names of the recipes are this machine's, too.
Object.assign(dns, { lookup })
