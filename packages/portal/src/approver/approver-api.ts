import { type Config, createCalls, openSocket } from '@gatehouse/sign-in'
import {
  approverRoutes,
  type PushAnswerRequest,
  type PushEnrolmentRequest,
  type PushProofRequest,
  type PushSubscribeRequest,
  SocketMessage,
  type SocketRequest,
} from '@gatehouse/wire'

type Listener = {
  told: (message: SocketMessage, reply: (request: SocketRequest) => void) => void
  changed: (isOpen: boolean) => void
}

/** The calls of an enrolled phone. They never reject, like all calls of `createApi`. */
export const createApproverApi = (config: Pick<Config, 'baseUrl' | 'socketUrl'>) => {
  const { post, postVoid } = createCalls(config)
  return {
    /** Uses an enrollment link. */
    enrol: (request: PushEnrolmentRequest, signal?: AbortSignal) =>
      post(approverRoutes.enrol.path, request, approverRoutes.enrol.response, signal),

    /** The nonce for the next proof. */
    nonce: (signal?: AbortSignal) => post(approverRoutes.nonce.path, {}, approverRoutes.nonce.response, signal),

    /** The open request, if there is one. */
    pending: (proof: PushProofRequest, signal?: AbortSignal) =>
      post(approverRoutes.pending.path, proof, approverRoutes.pending.response, signal),

    /** Approves or denies a request. */
    answer: (request: PushAnswerRequest, signal?: AbortSignal) =>
      post(approverRoutes.answer.path, request, approverRoutes.answer.response, signal),

    /** Stores the push subscription. Without one, the phone gets no push messages. */
    subscribe: (request: PushSubscribeRequest, signal?: AbortSignal) => postVoid(approverRoutes.subscribe.path, request, signal),

    /** Removes this phone from its account. */
    leave: (proof: PushProofRequest, signal?: AbortSignal) => postVoid(approverRoutes.leave.path, proof, signal),

    /** Listens for messages of the server. @returns a function that stops listening */
    listen: ({ told, changed }: Listener): (() => void) => {
      const line = openSocket(config.socketUrl, SocketMessage, {
        onMessage: message => told(message, line.send),
        onStateChange: changed,
      })
      return line.close
    },
  }
}

/** The calls of the approver. */
export type ApproverApi = ReturnType<typeof createApproverApi>
