import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { type CryptoKey, exportJWK, generateKeyPair, type JWK, SignJWT } from 'jose'
import { addCleanup } from './cleanup.ts'
import { NOW } from './plan.ts'

/** A fake CI issuer, which signs identity tokens of jobs and publishes its keys. */
export interface CiIssuer {
  readonly url: string
  /** The paths of the requests that it received. */
  readonly requests: string[]
  /** Overrides responses, until it is set to `undefined`. */
  answer: ((request: IncomingMessage, response: ServerResponse) => void) | undefined
  /** The published keys. */
  keys: JWK[]
  /** The issuer in the discovery document. */
  named: string
  /** `Cache-Control` of the keys. */
  cacheControl: string | undefined
  /** Signs claims by the key with this id: `rsa` or `ec`, or one from `addKey`. */
  readonly sign: (claims: object, header?: object, kid?: string) => Promise<string>
  /** Creates a key; it is published when the test adds it to `keys`. */
  readonly addKey: (kid: string, alg: string) => Promise<JWK>
}

/** The key pairs of all issuers of a file, since creating one takes long. */
const generated = new Map<string, ReturnType<typeof generateKeyPair>>()

/** Starts an issuer with an RSA and an EC key on a loopback address. */
export async function startCiIssuer(): Promise<CiIssuer> {
  const pairs = new Map<string, { readonly key: CryptoKey; readonly alg: string }>()
  const addKey = async (kid: string, alg: string): Promise<JWK> => {
    const pair = generated.get(`${kid} ${alg}`) ?? generateKeyPair(alg, { extractable: true })
    generated.set(`${kid} ${alg}`, pair)
    const { privateKey, publicKey } = await pair
    pairs.set(kid, { key: privateKey, alg })
    return { ...(await exportJWK(publicKey)), kid, alg, use: 'sig' }
  }
  const server = createServer((request, response) => {
    issuer.requests.push(request.url ?? '')
    if (issuer.answer) return issuer.answer(request, response)
    if (issuer.cacheControl !== undefined) response.setHeader('cache-control', issuer.cacheControl)
    response.setHeader('content-type', 'application/json')
    const discovery = { issuer: issuer.named, jwks_uri: `${issuer.url}/keys` }
    response.end(JSON.stringify(request.url === '/keys' ? { keys: issuer.keys } : discovery))
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  addCleanup(async () => {
    server.closeAllConnections()
    server.close()
  })
  // The address of a server that listens on a port is an `AddressInfo`.
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const issuer: CiIssuer = {
    url,
    requests: [],
    answer: undefined,
    keys: [await addKey('rsa', 'RS256'), await addKey('ec', 'ES256')],
    named: url,
    cacheControl: undefined,
    addKey,
    sign: async (claims, header = {}, kid = 'rsa') => {
      const pair = pairs.get(kid)
      if (!pair) throw new Error(`there is no key ${kid}`)
      return new SignJWT({ ...claims }).setProtectedHeader({ alg: pair.alg, kid, typ: 'JWT', ...header }).sign(pair.key)
    }
  }
  return issuer
}

const seconds = Math.floor(NOW / 1000)
let count = 0

/** The claims that every identity token has: valid now, for ten minutes, and for one use. */
function commonClaims(issuer: CiIssuer, audience: string): object {
  return { iss: issuer.url, aud: audience, iat: seconds, nbf: seconds, exp: seconds + 600, jti: `job-${++count}` }
}

/** The claims of a job of GitHub Actions. */
export function githubClaims(issuer: CiIssuer, audience: string): Record<string, unknown> {
  return {
    ...commonClaims(issuer, audience),
    sub: 'repo:acme/shop:ref:refs/heads/main',
    repository: 'acme/shop',
    repository_id: '70107786',
    repository_owner_id: '1134',
    ref: 'refs/heads/main',
    ref_protected: 'true',
    event_name: 'push',
    run_id: '9034512345',
    sha: '4a1f0d5b6c7e8f90123456789abcdef012345678'
  }
}

/** The claims of a job of GitLab CI. */
export function gitlabClaims(issuer: CiIssuer, audience: string): Record<string, unknown> {
  return {
    ...commonClaims(issuer, audience),
    sub: 'project_path:acme/shop:ref_type:branch:ref:main',
    project_path: 'acme/shop',
    project_id: '42',
    ref: 'main',
    ref_type: 'branch',
    ref_protected: 'true',
    pipeline_id: '771',
    pipeline_source: 'push',
    sha: '4a1f0d5b6c7e8f90123456789abcdef012345678'
  }
}
