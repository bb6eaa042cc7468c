const algorithm = { name: 'ECDSA', namedCurve: 'P-256' }

/** Creates a key pair on this phone. No script can read the private key, not even ours. */
export const makeKey = async () => {
  const { privateKey, publicKey } = await crypto.subtle.generateKey(algorithm, false, ['sign', 'verify'])
  const spki = new Uint8Array(await crypto.subtle.exportKey('spki', publicKey))
  return { privateKey, publicKey: toBase64Url(spki) }
}

/** ES256 (RFC 7518 §3.4): r and s concatenated, in base64url. */
export const sign = async (key: CryptoKey, text: string): Promise<string> => {
  const signature = await crypto.subtle.sign({ name: 'ECDSA', hash: 'SHA-256' }, key, new TextEncoder().encode(text))
  return toBase64Url(new Uint8Array(signature))
}

/** SHA-256 of the text as UTF-8, in base64url. */
export const hash = async (text: string): Promise<string> =>
  toBase64Url(new Uint8Array(await crypto.subtle.digest('SHA-256', new TextEncoder().encode(text))))

const toBase64Url = (bytes: Uint8Array) =>
  btoa(String.fromCharCode(...bytes))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replace(/=+$/, '')
