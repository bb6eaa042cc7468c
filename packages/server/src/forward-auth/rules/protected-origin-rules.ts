import type { ProtectedOrigin } from '../protected-origin.ts'
import type { Rule } from './rule.ts'

/** The rules that `GATEHOUSE_PROTECTED_ORIGINS` stands for: one for each origin, for every path. */
export const rulesOfOrigins = (protectedOrigins: readonly ProtectedOrigin[]): Rule[] =>
  protectedOrigins.map(({ origin, people, secondFactor, phishingResistant }, index) => ({
    number: index + 1,
    to: [{ origin, path: undefined }],
    methods: undefined,
    from: undefined,
    effect: {
      is: 'Allow',
      who: people.length === 0 ? [{ is: 'Users' }] : people,
      require: { secondFactor, phishingResistant, fresh: undefined },
    },
  }))
