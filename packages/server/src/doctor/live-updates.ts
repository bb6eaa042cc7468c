import { socketsPath } from '@gatehouse/wire'
import type { Config } from '../config/config.ts'
import { askForWebSocket } from './ask.ts'
import { about, type Finding, reasonOf } from './finding.ts'

const { ok, warning } = about('live updates')

/** Checks that WebSockets pass through the proxy. Without them pages and phones poll. */
export const examineLiveUpdates = async ({ publicUrl: { origin, path } }: Config): Promise<Finding> => {
  const address = origin + path + socketsPath
  try {
    const status = await askForWebSocket(address, { origin })
    if (status === 101) return ok(`WebSocket connections to ${address} work.`)
    const isPlain = status === 426 || status === 400
    return warning(
      isPlain
        ? `upgrade-dropped: a WebSocket to ${address} arrives as a plain request (${status}). Configure the proxy to forward the Upgrade and Connection headers there, over HTTP/1.1. Until then, pages and devices poll.`
        : `upgrade-dropped: a WebSocket to ${address} is answered with ${status}. Configure the proxy to forward it to Gatehouse. Until then, pages and devices poll.`,
    )
  } catch (error) {
    return warning(`upgrade-dropped: a WebSocket to ${address} gets no answer: ${reasonOf(error)}. Until it does, pages and devices poll.`)
  }
}
