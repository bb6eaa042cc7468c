import { routes } from '@gatehouse/wire'
import type { Mode } from './checked-server.ts'
import type { Fault, Passing } from './fault-proxy.ts'

/** A fault, the rows that must fail because of it, and how the server is set up. Every other row must pass. */
export type PlantedFault = { fault: string; mode?: Mode; https?: boolean; named: string[]; plant: Fault }

export const post = ({ path }: { path: string }) => `POST ${path}`
export const signIn = post(routes.getAuthTokenWithError)
export const isCall = ({ of }: Passing) => Object.values(routes).some(route => post(route) === of)

/** Changes the JSON of responses that contain a text. */
export const edit =
  (of: string, containing: string, by: (body: string, passing: Passing) => string) =>
  (passing: Passing): void => {
    if (passing.of === of && passing.body.includes(containing)) passing.body = by(passing.body, passing)
  }
export const cookies = (by: (line: string) => string) => (passing: Passing) => {
  const lines = passing.headers['set-cookie']
  if (lines) passing.headers['set-cookie'] = [lines].flat().map(by)
}
export const isUnknown = ({ sent }: Passing) => sent.body.includes('"conformance-')
export const json = (passing: Passing, status: number, body: unknown) => {
  passing.status = status
  passing.body = JSON.stringify(body)
}
