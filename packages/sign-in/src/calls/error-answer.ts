import { type ErrorBody, errorFromBody, verifyErrorText } from '@gatehouse/wire'
import { about, type CallName, failed, parseJson, type Reply } from './answer.ts'

/** Reads an error reply by the error-body rule of §8. `call.unknown` is the message for an empty body, except with 400 and 404. */
export const readError = async (call: CallName & { unknown?: string }, response: Response): Promise<Reply<never>> => {
  const body = await response.blob()
  const json = await parseJson(body)
  const found: ErrorBody = json.ok
    ? errorFromBody(json.value)
    : { error: body.size > 0 ? json.error : (emptyBodyMessages[response.status] ?? call.unknown ?? 'Unknown error') }
  if ('error' in found) {
    const { error: message, code, value } = found
    const why = { ...(code && { code }), ...(value !== undefined && { value }) }
    return failed({ is: 'refused', message, ...about(call, response, message), ...why })
  }
  const typedError = found['typed-error']
  const message = verifyErrorText(typedError)
  return failed({ is: 'refused', message, ...about(call, response, message), typedError })
}

const emptyBodyMessages: Record<number, string> = { 400: '400 - Bad Request', 404: '404 - Not Found' }
