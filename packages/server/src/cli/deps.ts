import type { Config } from '../config/config.ts'
import type { OpenDatabase } from '../db/open.ts'

export type Deps = { config: Config; database: OpenDatabase; write: (line: string) => void }
