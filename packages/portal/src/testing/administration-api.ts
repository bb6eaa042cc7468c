import type { AdministrationApi } from '../administration/administration-api.ts'

const never = () => new Promise<never>(() => {})

/** The calls of the administration page. Calls without an answer here never end. */
export const administrationApi = (answers: Partial<AdministrationApi>): AdministrationApi => ({
  overview: never,
  users: never,
  user: never,
  mails: never,
  board: never,
  attempts: never,
  add: never,
  unlock: never,
  forceReset: never,
  endSession: never,
  endSessions: never,
  sendLink: never,
  setGroups: never,
  removeFactor: never,
  remove: never,
  passes: never,
  addPass: never,
  endPass: never,
  endPasses: never,
  userPasswordConfirm: never,
  logoutBySelf: never,
  ...answers,
})
