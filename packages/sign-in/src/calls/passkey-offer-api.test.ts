import { passkeyRoutes } from '@gatehouse/wire'
import { afterEach, expect, it, vi } from 'vitest'
import { requestOptions } from '../testing/passkey-browser.ts'
import { createPasskeyOfferApi } from './passkey-offer-api.ts'

afterEach(() => vi.restoreAllMocks())

const ask = (response: Response) => {
  const fetch = vi.spyOn(globalThis, 'fetch').mockResolvedValue(response)
  return { fetch, reply: createPasskeyOfferApi({ baseUrl: 'https://gate.example' }).passkeyOptions('SignIn') }
}

it('asks for a challenge to sign in, with cookies, and decodes it', async () => {
  const { fetch, reply } = ask(Response.json(requestOptions))
  expect(await reply).toEqual({ ok: true, value: requestOptions })
  const [url, init] = fetch.mock.calls[0] ?? []
  expect(url).toBe(`https://gate.example${passkeyRoutes.passkeyOptions.path}`)
  expect(init).toMatchObject({ method: passkeyRoutes.passkeyOptions.method, credentials: 'include', body: '{"purpose":"SignIn"}' })
})

it.each([[{ ...requestOptions, timeout: 'soon' }], [{ ...requestOptions, rpId: undefined }], [null], ['text']])(
  'fails for the body %j',
  async body => {
    const { reply } = ask(Response.json(body))
    expect(await reply).toMatchObject({ ok: false, failure: { is: 'malformed', message: 'expected the options of a passkey' } })
  },
)

it('fails for a body that is not JSON', async () => {
  const { reply } = ask(new Response('<html>'))
  expect(await reply).toMatchObject({ ok: false, failure: { is: 'malformed' } })
})

it('fails with the status of an error, without reading its body', async () => {
  const response = Response.json({ error: 'off' }, { status: 404 })
  const { reply } = ask(response)
  expect(await reply).toMatchObject({ ok: false, failure: { is: 'refused', status: 404 } })
  expect(response.bodyUsed).toBe(false)
})
