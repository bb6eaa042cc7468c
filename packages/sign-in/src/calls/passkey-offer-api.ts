import type { PasskeyRequestOptions } from '@gatehouse/wire'
import type { Config } from '../config.ts'
import { about, failed, parseJson, type ReadBody, readSuccess } from './answer.ts'
import { type Call, okOrCreated, send } from './send.ts'

/**
 * Checks what the page itself uses; the browser checks the rest when it parses the options. The decoder of this shape comes with a library
 * that would take more memory than the rest of the offer.
 */
const isRequestOptions = (json: unknown): json is PasskeyRequestOptions =>
  typeof json === 'object' &&
  json !== null &&
  'timeout' in json &&
  Number.isSafeInteger(json.timeout) &&
  'rpId' in json &&
  typeof json.rpId === 'string'

const readOptions: ReadBody<PasskeyRequestOptions> = async body => {
  const json = await parseJson(body)
  if (!json.ok) return json
  return isRequestOptions(json.value) ? { ok: true, value: json.value } : { ok: false, error: 'expected the options of a passkey' }
}

const refused = 'The server offers no passkeys'

/**
 * The call of the offer in the autofill, as `passkeyRoutes.passkeyOptions` defines it. It loads half a second after the login page, long
 * before the other calls, so it contains no decoders. It reads no error bodies either: without an offer, the page says nothing. Never
 * rejects.
 */
export const createPasskeyOfferApi = ({ baseUrl }: Pick<Config, 'baseUrl'>) => ({
  passkeyOptions: (purpose: 'SignIn', signal?: AbortSignal) => {
    const call: Call = { method: 'POST', path: '/passkey/options', json: { purpose }, signal, success: okOrCreated }
    return send(
      baseUrl,
      call,
      response => readSuccess(call, response, readOptions),
      async (_, response) => failed({ is: 'refused', message: refused, ...about(call, response, refused) }),
    )
  },
})
