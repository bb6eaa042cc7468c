import type { Config } from '../config/config.ts'
import type { OpenDatabase } from '../db/open.ts'
import type { Call } from './command.ts'

export type Deps = Call & { config: Config; database: OpenDatabase }
