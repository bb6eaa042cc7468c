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

type Heard = {
  told: (message: SocketMessage, reply: (request: SocketRequest) => void) => void
  changed: (isOpen: boolean) => void
}

/** The calls of an enrolled device. They resolve as those of the sign-in area do. */
export const createApproverApi = (config: Pick<Config, 'baseUrl' | 'socketUrl'>) => {
  const { post, postVoid } = createCalls(config)
  return {
    /** Uses up an enrolment link. */
    enrol: (request: PushEnrolmentRequest, signal?: AbortSignal) =>
      post(approverRoutes.enrol.path, request, approverRoutes.enrol.response, signal),

    /** What a device signs to prove itself. */
    nonce: (signal?: AbortSignal) => post(approverRoutes.nonce.path, {}, approverRoutes.nonce.response, signal),

    /** What waits for the device. */
    pending: (proof: PushProofRequest, signal?: AbortSignal) =>
      post(approverRoutes.pending.path, proof, approverRoutes.pending.response, signal),

    /** Approves or denies it. */
    answer: (request: PushAnswerRequest, signal?: AbortSignal) =>
      post(approverRoutes.answer.path, request, approverRoutes.answer.response, signal),

    /** Where this device is woken; without a subscription, nowhere any more. */
    subscribe: (request: PushSubscribeRequest, signal?: AbortSignal) => postVoid(approverRoutes.subscribe.path, request, signal),

    /** Takes this device away from its account. */
    leave: (proof: PushProofRequest, signal?: AbortSignal) => postVoid(approverRoutes.leave.path, proof, signal),

    /** Hears what comes by itself, until it is told to stop. */
    hear: ({ told, changed }: Heard): (() => void) => {
      const line = openSocket(config.socketUrl, SocketMessage, {
        onMessage: message => told(message, line.send),
        onStateChange: changed,
      })
      return line.close
    },
  }
}

/** Those calls; a test hands in its own. */
export type ApproverApi = ReturnType<typeof createApproverApi>
