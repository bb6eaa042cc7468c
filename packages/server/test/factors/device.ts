import { createHash } from 'node:crypto'
import { accountRoutes, approverRoutes, type OTPRequest, type PushAnswerRequest, pushRoutes, routes } from '@gatehouse/wire'
import { ada, type Browser } from '../support/harness.ts'

const base64url = (bytes: ArrayBuffer) => Buffer.from(bytes).toString('base64url')
const sha256 = (text: string) => createHash('sha256').update(text).digest('base64url')

type Subscription = { endpoint: string; keys: { p256dh: string; auth: string } }
/** The text that stands for the body in a proof for /push/subscribe. This file implements the protocol independently of the server. */
export const subscribing = (of: Subscription | null | undefined) => (of ? JSON.stringify([of.endpoint, of.keys.p256dh, of.keys.auth]) : '')

/** A phone that approves sign-ins. It uses WebCrypto, as the approver page does, and its own copy of the protocol's texts. */
export const makeDevice = async (origin: string) => {
  const pair = await crypto.subtle.generateKey({ name: 'ECDSA', namedCurve: 'P-256' }, false, ['sign', 'verify'])
  const publicKey = base64url(await crypto.subtle.exportKey('spki', pair.publicKey))
  const sign = async (...lines: string[]) =>
    base64url(await crypto.subtle.sign({ name: 'ECDSA', hash: 'SHA-256' }, pair.privateKey, Buffer.from(lines.join('\n'))))
  return {
    publicKey,
    sign,
    /** A proof for one call and its body. */
    prove: async (factorUUID: string, nonce: string, call: string, body = '') => ({
      factorUUID,
      nonce,
      signature: await sign('gatehouse-push-call', nonce, factorUUID, origin, call, sha256(body)),
    }),
    /** The message that older approvers signed. It names no call. */
    hello: async (factorUUID: string, nonce: string) => ({
      factorUUID,
      nonce,
      signature: await sign('gatehouse-push-hello', nonce, factorUUID, origin),
    }),
    answer: async (to: { factorUUID: string; userId: string; challengeUUID: string }, decision: 'Approve' | 'Deny', number?: string) => ({
      factorUUID: to.factorUUID,
      challengeUUID: to.challengeUUID,
      ...(number !== undefined && { number }),
      decision,
      signature: await sign('gatehouse-push-answer', to.challengeUUID, number ?? '-', to.userId, origin, decision),
    }),
  }
}

type Who = { username: string; password: string }
export const pushRequest = (user: Who = ada): OTPRequest => ({ otpUsername: user.username, otpPassword: user.password })

export const addPush = (browser: Browser, name: string, user: Who = ada) =>
  browser.call(accountRoutes.userFactorAddPush, {
    factorCreationRequestIdentity: user.username,
    factorCreationRequestFriendlyName: name,
    factorCreationRequestFactorType: 'Push',
  })

/** The token of an enrollment link. */
export const claimOf = (link: string) => {
  const [, selector = '', token = ''] = /\/approve#enrol=([\w-]+)\.([\w-]+)$/.exec(link) ?? []
  return { selector, token }
}

/** An enrolled phone and its calls. `computer` is signed in; `phone` is a separate browser. */
export const enrollDevice = async (computer: Browser, phone: Browser, origin: string, { name = 'Phone', user = ada } = {}) => {
  const device = await makeDevice(origin)
  const { factorUUID, link } = await addPush(computer, name, user)
  const enrolled = await phone.call(approverRoutes.enrol, {
    ...claimOf(link),
    publicKey: device.publicKey,
    alg: 'ES256',
    friendlyName: '',
  })
  const { userId } = enrolled
  const nonce = async () => (await phone.call(approverRoutes.nonce, {})).nonce
  const prove = async (call: string, body?: string) => device.prove(factorUUID, await nonce(), call, body)
  const pending = async () => phone.call(approverRoutes.pending, await prove(approverRoutes.pending.path))
  const subscribe = async (subscription: Subscription | null) => {
    const proof = await prove(approverRoutes.subscribe.path, subscribing(subscription))
    return (await phone.send('POST', approverRoutes.subscribe.path, { ...proof, subscription })).statusCode
  }
  const leave = async () => (await phone.send('POST', approverRoutes.leave.path, await prove(approverRoutes.leave.path))).statusCode
  const send = (answer: PushAnswerRequest) => phone.send('POST', approverRoutes.answer.path, answer)
  const answer = async (challengeUUID: string, decision: 'Approve' | 'Deny', number?: string) =>
    (await send(await device.answer({ factorUUID, userId, challengeUUID }, decision, number))).json()
  const progress = () => computer.call(accountRoutes.userFactorPushProgress, { factorUUID })
  const verify = async () => {
    const asked = await progress()
    if (asked.tag !== 'Asked') throw new Error(`expected a number, got ${asked.tag}`)
    const challengeUUID = (await pending()).pending?.challengeUUID ?? ''
    await answer(challengeUUID, 'Approve', asked.contents.challengeNumber)
    return progress()
  }
  return { device, phone, factorUUID, userId, enrolled, nonce, prove, pending, subscribe, leave, send, answer, progress, verify }
}

/** Requests an approval from the browser that waits. */
export const requestApproval = async (browser: Browser, user: Who = ada) => {
  const outcome = await browser.call(pushRoutes.pushChallenge, pushRequest(user))
  if (outcome.tag !== 'PushChallengeOpened') throw new Error(`asking gave ${outcome.tag}`)
  return outcome.contents
}

/** Signs in with the phone's approval. */
export const signInByApproval = (browser: Browser, user: Who = ada) => browser.call(routes.verifyOTP, pushRequest(user))
export const status = async (browser: Browser) => {
  const { challengeStatus, challengeRespondedReason } = await browser.call(pushRoutes.pushStatus, {})
  return [challengeStatus, challengeRespondedReason.tag]
}
/** A number that differs from the displayed one. */
export const differentNumber = (number: string) => String((Number(number) + 1) % 1_000_000).padStart(6, '0')
