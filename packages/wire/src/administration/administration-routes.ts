import { Empty, Nothing } from '../format/nothing.ts'
import { route } from '../format/route.ts'
import {
  AdministrationOverview,
  BoardRequest,
  FactorRemovalRequest,
  SignInBoard,
  UserActRequest,
  UserAdditionRequest,
  UserDetail,
  UserList,
  UserListRequest,
  UserRemovalRequest,
  WaitingMails,
} from './administration.ts'

// The calls of the administration page, to administrators alone. Apart from the others, for no other page is to carry a byte of them.

/** What the administration page shows. Nothing is changed by these. */
export const overview = route('POST', '/administration/overview', Empty, AdministrationOverview)
export const users = route('POST', '/administration/user/list', UserListRequest, UserList)
export const user = route('POST', '/administration/user/look', UserActRequest, UserDetail)
export const mails = route('POST', '/administration/mail/list', Empty, WaitingMails)
export const board = route('POST', '/administration/sign-in/board', BoardRequest, SignInBoard)
/** An administrator's acts on a user; they want a sign-in not long ago. */
export const add = route('POST', '/administration/user/add', UserAdditionRequest, Nothing)
export const unlock = route('POST', '/administration/user/unlock', UserActRequest, Nothing)
export const forceReset = route('POST', '/administration/user/force-reset', UserActRequest, Nothing)
export const endSessions = route('POST', '/administration/user/end-sessions', UserActRequest, Nothing)
export const removeFactor = route('POST', '/administration/user/remove-factor', FactorRemovalRequest, Nothing)
export const remove = route('POST', '/administration/user/delete', UserRemovalRequest, Nothing)
