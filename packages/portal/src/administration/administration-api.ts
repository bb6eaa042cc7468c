import { type Config, createCalls } from '@gatehouse/sign-in'
import {
  type AttemptListRequest,
  accountRoutes,
  type BoardRange,
  type FactorRemovalRequest,
  administrationRoutes as of,
  type PassEndRequest,
  type PassesEndRequest,
  type PassListRequest,
  routes,
  type ServicePassRequest,
  type SessionRemovalRequest,
  type UserActRequest,
  type UserAdditionRequest,
  type UserGroupsRequest,
  type UserListRequest,
  type UserRemovalRequest,
} from '@gatehouse/wire'

/** The calls of the administration page. They never reject, like all calls of `createApi`. */
export const createAdministrationApi = (config: Pick<Config, 'baseUrl'>) => {
  const { post, postVoid } = createCalls(config)
  return {
    overview: (signal?: AbortSignal) => post(of.overview.path, {}, of.overview.response, signal),
    users: (request: UserListRequest, signal?: AbortSignal) => post(of.users.path, request, of.users.response, signal),
    user: (request: UserActRequest, signal?: AbortSignal) => post(of.user.path, request, of.user.response, signal),
    mails: (signal?: AbortSignal) => post(of.mails.path, {}, of.mails.response, signal),
    board: (range: BoardRange, signal?: AbortSignal) => post(of.board.path, { range }, of.board.response, signal),
    attempts: (request: AttemptListRequest, signal?: AbortSignal) => post(of.attempts.path, request, of.attempts.response, signal),

    add: (request: UserAdditionRequest) => postVoid(of.add.path, request),
    unlock: (request: UserActRequest) => postVoid(of.unlock.path, request),
    forceReset: (request: UserActRequest) => postVoid(of.forceReset.path, request),
    endSessions: (request: UserActRequest) => postVoid(of.endSessions.path, request),
    endSession: (request: SessionRemovalRequest) => postVoid(of.endSession.path, request),
    sendLink: (request: UserActRequest) => postVoid(of.sendLink.path, request),
    setGroups: (request: UserGroupsRequest) => postVoid(of.setGroups.path, request),
    removeFactor: (request: FactorRemovalRequest) => postVoid(of.removeFactor.path, request),
    remove: (request: UserRemovalRequest) => postVoid(of.remove.path, request),

    passes: (request: PassListRequest, signal?: AbortSignal) => post(of.passes.path, request, of.passes.response, signal),
    addPass: (request: ServicePassRequest) => post(of.addPass.path, request, of.addPass.response),
    endPass: (request: PassEndRequest) => postVoid(of.endPass.path, request),
    endPasses: (request: PassesEndRequest) => postVoid(of.endPasses.path, request),

    userPasswordConfirm: (request: { password: string }, signal?: AbortSignal) =>
      postVoid(accountRoutes.userPasswordConfirm.path, request, signal),
    logoutBySelf: () => postVoid(routes.logoutBySelf.path, {}),
  }
}
export type AdministrationApi = ReturnType<typeof createAdministrationApi>
