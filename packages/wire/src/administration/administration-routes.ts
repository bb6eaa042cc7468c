import { NewPass, PassEndRequest } from '../account/own-passes.ts'
import { Empty, Nothing } from '../format/nothing.ts'
import { route } from '../format/route.ts'
import { PassesEndRequest, PassList, PassListRequest, ServicePassRequest } from './administered-passes.ts'
import {
  AdministrationOverview,
  AttemptList,
  AttemptListRequest,
  BoardRequest,
  FactorRemovalRequest,
  SessionRemovalRequest,
  SignInBoard,
  UserActRequest,
  UserAdditionRequest,
  UserDetail,
  UserGroupsRequest,
  UserList,
  UserListRequest,
  UserRemovalRequest,
  WaitingMails,
} from './administration.ts'

// The calls of the administration page, for administrators only. In their own module, so that no other page's bundle contains them.

/** The calls that only read. The audit log records who looks up a user. */
export const overview = route('POST', '/administration/overview', Empty, AdministrationOverview)
export const users = route('POST', '/administration/user/list', UserListRequest, UserList)
export const user = route('POST', '/administration/user/look', UserActRequest, UserDetail)
export const mails = route('POST', '/administration/mail/list', Empty, WaitingMails)
export const board = route('POST', '/administration/sign-in/board', BoardRequest, SignInBoard)
export const attempts = route('POST', '/administration/sign-in/list', AttemptListRequest, AttemptList)
/** An administrator's actions on a user. They require a sign-in or a reauthentication within the last 15 minutes. */
export const add = route('POST', '/administration/user/add', UserAdditionRequest, Nothing)
export const unlock = route('POST', '/administration/user/unlock', UserActRequest, Nothing)
export const forceReset = route('POST', '/administration/user/force-reset', UserActRequest, Nothing)
export const endSessions = route('POST', '/administration/user/end-sessions', UserActRequest, Nothing)
export const endSession = route('POST', '/administration/user/end-session', SessionRemovalRequest, Nothing)
/** Emails the link to choose a password. */
export const sendLink = route('POST', '/administration/user/send-link', UserActRequest, Nothing)
export const setGroups = route('POST', '/administration/user/set-groups', UserGroupsRequest, Nothing)
export const removeFactor = route('POST', '/administration/user/remove-factor', FactorRemovalRequest, Nothing)
export const remove = route('POST', '/administration/user/delete', UserRemovalRequest, Nothing)
/** The passes of all users and services. */
export const passes = route('POST', '/administration/pass/list', PassListRequest, PassList)
/** Creates a pass of a service. Requires the administrator's second factor within the last 15 minutes. */
export const addPass = route('POST', '/administration/pass/add', ServicePassRequest, NewPass)
export const endPass = route('POST', '/administration/pass/end', PassEndRequest, Nothing)
export const endPasses = route('POST', '/administration/pass/end-all', PassesEndRequest, Nothing)
