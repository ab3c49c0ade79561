// A stand-in for GitHub: it issues identity tokens to jobs, and publishes the key that verifies them.
import { createSign, generateKeyPairSync, randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:http'

export async function startIssuer() {
  const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
  const key = { ...publicKey.export({ format: 'jwk' }), kid: 'key', alg: 'RS256', use: 'sig' }
  const server = createServer((request, response) => {
    const { pathname, searchParams } = new URL(request.url, url)
    const documents = {
      '/.well-known/openid-configuration': () => ({ issuer: url, jwks_uri: `${url}/keys` }),
      '/keys': () => ({ keys: [key] }),
      '/token': () => ({ value: sign({ aud: searchParams.get('audience'), ref: searchParams.get('ref') }) })
    }
    response.setHeader('content-type', 'application/json')
    response.end(JSON.stringify(documents[pathname]?.() ?? {}))
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const url = `http://127.0.0.1:${server.address().port}`

  /** Signs the claims of a job of repository acme/shop. */
  function sign(claims) {
    const now = Math.floor(Date.now() / 1000)
    const repository = { repository: 'acme/shop', repository_id: '70107786', event_name: 'push' }
    const times = { iat: now, nbf: now, exp: now + 300, jti: randomUUID() }
    const payload = { iss: url, sub: `repo:acme/shop:ref:${claims.ref}`, ...repository, ...times, ...claims }
    const text = [{ alg: 'RS256', kid: 'key', typ: 'JWT' }, payload]
      .map((part) => Buffer.from(JSON.stringify(part)).toString('base64url'))
      .join('.')
    return `${text}.${createSign('RSA-SHA256').update(text).sign(privateKey, 'base64url')}`
  }

  return { url, close: () => server.close() }
}
