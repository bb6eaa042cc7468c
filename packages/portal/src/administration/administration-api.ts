import { type Config, createCalls } from '@gatehouse/sign-in'
import {
  accountRoutes,
  type BoardRange,
  type FactorRemovalRequest,
  administrationRoutes as of,
  routes,
  type UserActRequest,
  type UserAdditionRequest,
  type UserListRequest,
  type UserRemovalRequest,
} from '@gatehouse/wire'

/** The calls of the administration page. They never reject, like all calls of `createApi`. */
export const createAdministrationApi = (config: Pick<Config, 'baseUrl'>) => {
  const { ask, tell } = createCalls(config)
  return {
    overview: (signal?: AbortSignal) => ask(of.overview.path, {}, of.overview.response, signal),
    users: (request: UserListRequest, signal?: AbortSignal) => ask(of.users.path, request, of.users.response, signal),
    user: (request: UserActRequest, signal?: AbortSignal) => ask(of.user.path, request, of.user.response, signal),
    mails: (signal?: AbortSignal) => ask(of.mails.path, {}, of.mails.response, signal),
    board: (range: BoardRange, signal?: AbortSignal) => ask(of.board.path, { range }, of.board.response, signal),

    add: (request: UserAdditionRequest) => tell(of.add.path, request),
    unlock: (request: UserActRequest) => tell(of.unlock.path, request),
    forceReset: (request: UserActRequest) => tell(of.forceReset.path, request),
    endSessions: (request: UserActRequest) => tell(of.endSessions.path, request),
    removeFactor: (request: FactorRemovalRequest) => tell(of.removeFactor.path, request),
    remove: (request: UserRemovalRequest) => tell(of.remove.path, request),

    userPasswordConfirm: (request: { password: string }, signal?: AbortSignal) =>
      tell(accountRoutes.userPasswordConfirm.path, request, signal),
    logoutBySelf: () => tell(routes.logoutBySelf.path, {}),
  }
}
export type AdministrationApi = ReturnType<typeof createAdministrationApi>
