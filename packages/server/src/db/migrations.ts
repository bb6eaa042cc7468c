import type { Migration } from 'kysely/migration'
import { signIn } from './migrations/0001-sign-in.ts'
import { factorsAndMail } from './migrations/0002-factors-and-mail.ts'
import { singleSignOn } from './migrations/0003-single-sign-on.ts'
import { returnAddresses } from './migrations/0004-return-addresses.ts'
import { ownAccount } from './migrations/0005-own-account.ts'
import { administration } from './migrations/0006-administration.ts'
import { push } from './migrations/0007-push.ts'
import { plainForms } from './migrations/0008-plain-forms.ts'
import { purge } from './migrations/0009-purge.ts'
import { mailAskers } from './migrations/0010-mail-askers.ts'
import { pushNonces } from './migrations/0011-push-nonces.ts'
import { checkCookie } from './migrations/0012-check-cookie.ts'
import { writeProbes } from './migrations/0013-write-probes.ts'
import { refusedMail } from './migrations/0014-refused-mail.ts'
import { smallerLoginIndexes } from './migrations/0015-smaller-login-indexes.ts'
import { vouchedIdentities } from './migrations/0016-vouched-identities.ts'
import { passkeys } from './migrations/0017-passkeys.ts'
import { wrongCodeOffset } from './migrations/0018-wrong-code-offset.ts'
import { signInSteps } from './migrations/0019-sign-in-steps.ts'
import { knownBrowserOrigins } from './migrations/0020-known-browser-origins.ts'
import { mailCodes } from './migrations/0021-mail-codes.ts'
import { groupsAndFactorProofs } from './migrations/0022-groups-and-factor-proofs.ts'
import { signingKeys } from './migrations/0023-signing-keys.ts'
import { passes } from './migrations/0024-passes.ts'
import { importedUsers } from './migrations/0025-imported-users.ts'
import { openDoorAlarm } from './migrations/0026-open-door-alarm.ts'
import { languages } from './migrations/0027-languages.ts'
import type { Engine } from './refuse.ts'

/** Migrations in the order of their names. Never change a released one. */
export const migrationsFor = (engine: Engine): Record<string, Migration> => ({
  '0001-sign-in': signIn,
  '0002-factors-and-mail': factorsAndMail(engine),
  '0003-single-sign-on': singleSignOn,
  '0004-return-addresses': returnAddresses,
  '0005-own-account': ownAccount,
  '0006-administration': administration(engine),
  '0007-push': push(engine),
  '0008-plain-forms': plainForms,
  '0009-purge': purge,
  '0010-mail-askers': mailAskers,
  '0011-push-nonces': pushNonces,
  '0012-check-cookie': checkCookie,
  '0013-write-probes': writeProbes,
  '0014-refused-mail': refusedMail,
  '0015-smaller-login-indexes': smallerLoginIndexes,
  '0016-vouched-identities': vouchedIdentities,
  '0017-passkeys': passkeys(engine),
  '0018-wrong-code-offset': wrongCodeOffset,
  '0019-sign-in-steps': signInSteps,
  '0020-known-browser-origins': knownBrowserOrigins,
  '0021-mail-codes': mailCodes,
  '0022-groups-and-factor-proofs': groupsAndFactorProofs,
  '0023-signing-keys': signingKeys,
  '0024-passes': passes,
  '0025-imported-users': importedUsers,
  '0026-open-door-alarm': openDoorAlarm,
  '0027-languages': languages,
})
