import { decode, routes } from '@gatehouse/wire'
import type { Config } from '../config/config.ts'
import { isHere } from '../config/value-formats.ts'
import { days } from '../limits.ts'
import { type Answer, ask } from './ask.ts'
import { about, type Finding, reasonOf } from './finding.ts'

const { ok, warning, problem } = about('public URL')

/** Checks that Gatehouse responds at the public URL. `ahead`: by how much the clock there is ahead of this machine's. */
export const examinePublicUrl = async ({ publicUrl }: Config): Promise<{ findings: Finding[]; isOurs?: boolean; ahead?: number }> => {
  const address = publicUrl.origin + publicUrl.path
  try {
    const start = Date.now()
    const health = await ask(`${address}/healthz`)
    // The Date header has whole seconds, and was set between request and response.
    const ahead = health.headers.date === undefined ? undefined : Date.parse(health.headers.date) + 500 - (start + Date.now()) / 2
    const features = await ask(address + routes.featuresCheck.path)
    const isOurs = health.status === 200 && health.body === 'ok' && isFeatures(features)
    const findings = [whoAnswers(address, health, isOurs), transport(publicUrl, health)]
    return ahead === undefined || Number.isNaN(ahead) ? { findings, isOurs } : { findings, isOurs, ahead }
  } catch (error) {
    return { findings: [problem(`${address}/ cannot be reached from here: ${reasonOf(error)}. Check that the server is running.`)] }
  }
}

const whoAnswers = (address: string, health: Answer, isOurs: boolean): Finding => {
  if (isOurs) return ok(`Gatehouse answers at ${address}/.`)
  return problem(
    `Something other than Gatehouse answers at ${address}/ (${health.status}). Check that the proxy forwards the path, and to the right port.`,
  )
}

const isFeatures = ({ status, body }: Answer): boolean => {
  try {
    return status === 200 && decode(routes.featuresCheck.response, JSON.parse(body)).ok
  } catch {
    return false
  }
}

const transport = ({ origin, https: secure }: Config['publicUrl'], { certificateEnds }: Answer): Finding => {
  if (!secure)
    return isHere(new URL(origin).hostname)
      ? ok('http only, on this machine only.')
      : warning('http only: passwords travel unencrypted. Put a TLS proxy in front, and set GATEHOUSE_PUBLIC_URL to an https address.')
  return certificateFinding(Date.parse(certificateEnds ?? '') - Date.now())
}

export const certificateFinding = (left: number): Finding => {
  if (Number.isNaN(left)) return warning('Could not read when the certificate expires.')
  const text = `The certificate expires in ${Math.floor(left / days(1))} days.`
  return left < days(14) ? warning(`${text} Renew it.`) : ok(text)
}
