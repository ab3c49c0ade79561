import { createHmac } from 'node:crypto'
import type { WorkloadTrust } from '@burgee/contract/schemas'
import { type CiIssuer, githubClaims, gitlabClaims, startCiIssuer } from '@burgee/testing/ciIssuer'
import { type ApiResponse, call, send, serve, type TestServer, tokenOf, toStoreUrl } from '@burgee/testing/harness'
import { personToken } from '@burgee/testing/personToken'
import { idOf, NOW } from '@burgee/testing/plan'
import { runs } from '@burgee/testing/scale'
import fc from 'fast-check'
import { afterEach, beforeAll, describe, expect, it, test } from 'vitest'
import { parseAllowedDestinations } from '../../src/lib/outbound/allowedDestination.ts'
import { openStore } from '../../src/storage/open/openStore.ts'

const AUDIENCE = 'https://flags.example.com'
const JWT = 'urn:ietf:params:oauth:token-type:jwt'
const GRANT = 'urn:ietf:params:oauth:grant-type:token-exchange'
const loopback = { allowedPrivateTargets: parseAllowedDestinations('127.0.0.1') ?? [] }
const plan = {
  environments: { production: {}, staging: {} },
  features: [{ key: 'checkout' }]
}

let server: TestServer
let issuer: CiIssuer
let trust: string

beforeAll(async () => {
  issuer = await startCiIssuer()
  server = await serve(plan, loopback)
})

afterEach(() => {
  server.clock.now = () => NOW
  Object.assign(issuer, { answer: undefined, named: issuer.url })
})

let trusts = 0

/** Creates a trust with these members; tests name the trust that they use. */
async function makeTrust(members: object = {}, at = server, of = issuer): Promise<WorkloadTrust> {
  const body = {
    key: `trust-${++trusts}`,
    name: 'Deploy',
    issuer: of.url,
    audience: AUDIENCE,
    conditions: [{ claim: 'repository_id', op: 'equals', value: '70107786' }],
    grants: { projects: ['shop'], role: 'publisher' },
    ...members
  }
  const answer = await call(at, 'createWorkloadTrust', { body })
  expect([answer.status, answer.body]).toEqual([201, expect.anything()])
  return answer.body
}

let addresses = 0

/** Exchanges a token, by default from a new address, because refusals are counted by address. */
function exchange(
  token: string,
  members: Record<string, string> = {},
  at = server,
  from?: string
): Promise<ApiResponse> {
  addresses++
  return send(at, {
    method: 'POST',
    path: '/oauth/token',
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    body: new URLSearchParams({
      grant_type: GRANT,
      subject_token: token,
      subject_token_type: JWT,
      ...members
    }).toString(),
    localAddress: from ?? `127.1.${Math.floor(addresses / 200)}.${(addresses % 200) + 1}`
  })
}

const github = (members: object = {}) => ({ ...githubClaims(issuer, AUDIENCE), ...members })

/** The latest entry of the access log for tokens. */
async function latestAccess(at = server) {
  const { body } = await call(at, 'listAccessLog', { query: { kind: 'token', perPage: 50 } })
  const found = body.find(({ method }: { method?: string }) => method === GRANT)
  return found
}

async function tokenOfJob(trustKey: string, members: Record<string, string> = {}): Promise<string> {
  const { status, body } = await exchange(await issuer.sign(github()), { trust: trustKey, ...members })
  expect([status, body]).toEqual([200, expect.anything()])
  return body.access_token
}

describe('an identity token of a CI job', () => {
  beforeAll(async () => {
    trust = (await makeTrust()).key
  })

  it('is exchanged for a token that changes features, with the job in both logs', async () => {
    const { status, headers, body } = await exchange(await issuer.sign(github()), { trust })
    expect([status, headers['cache-control']]).toEqual([200, 'no-store'])
    expect(body).toEqual({
      access_token: expect.any(String),
      issued_token_type: 'urn:ietf:params:oauth:token-type:access_token',
      token_type: 'Bearer',
      expires_in: 900,
      scope: expect.stringContaining('feature:publish')
    })
    const change = {
      key: body.access_token,
      params: { project: 'shop', feature: 'checkout' },
      body: { name: 'Paying' }
    }
    expect((await call(server, 'updateFeature', change)).status).toBe(200)
    const audit = await call(server, 'listAuditEntries', { query: { perPage: 1 } })
    const workload = {
      issuer: issuer.url,
      subject: 'repo:acme/shop:ref:refs/heads/main',
      repository: 'acme/shop',
      ref: 'refs/heads/main',
      runId: '9034512345',
      sha: '4a1f0d5b6c7e8f90123456789abcdef012345678'
    }
    expect(audit.body[0]).toMatchObject({ idp_user: `ci:${trust}`, actor: 'workload', workload })
    const target = { trust, iss: issuer.url, sub: workload.subject, jti: expect.stringMatching(/^job-/) }
    expect(await latestAccess()).toMatchObject({
      outcome: 'success',
      idp_user: `ci:${trust}`,
      actor: 'workload',
      target
    })
  })

  it('is exchanged by a job of GitLab, with the id_token type and a narrower scope', async () => {
    const { key } = await makeTrust({ conditions: [{ claim: 'project_id', op: 'oneOf', value: ['41', '42'] }] })
    const token = await issuer.sign(gitlabClaims(issuer, AUDIENCE), {}, 'ec')
    const { status, body } = await exchange(token, {
      trust: key,
      subject_token_type: 'urn:ietf:params:oauth:token-type:id_token',
      scope: 'feature:read organization:write:settings',
      resource: `${server.url}/`
    })
    expect([status, body.scope]).toEqual([200, 'feature:read'])
    const answer = await call(server, 'updateFeature', {
      key: body.access_token,
      params: { project: 'shop', feature: 'checkout' },
      body: { name: 'Paying' }
    })
    expect([answer.status, answer.body.missingPermission]).toEqual([403, 'feature:write'])
  })

  const changes: [string, string, (claims: Record<string, unknown>) => object, object?, string?][] = [
    ['another issuer', 'unknown_issuer', (claims) => ({ ...claims, iss: 'https://elsewhere.example.com' })],
    ['its issuer with a trailing slash', 'unknown_issuer', (claims) => ({ ...claims, iss: `${issuer.url}/` })],
    ['no issuer', 'unknown_issuer', ({ iss, ...claims }) => claims],
    ['another audience', 'wrong_audience', (claims) => ({ ...claims, aud: 'https://github.com/acme' })],
    ['several audiences', 'wrong_audience', (claims) => ({ ...claims, aud: [AUDIENCE, 'https://other.example.com'] })],
    ['no audience', 'wrong_audience', ({ aud, ...claims }) => claims],
    ['no subject', 'no_subject', ({ sub, ...claims }) => claims],
    ['an empty subject', 'no_subject', (claims) => ({ ...claims, sub: '' })],
    ['no expiry', 'token_expired', ({ exp, ...claims }) => claims],
    ['no issue time', 'token_not_yet_valid', ({ iat, ...claims }) => claims],
    ['an expiry as text', 'token_expired', (claims) => ({ ...claims, exp: String(claims.exp) })],
    ['an expiry 61 s ago', 'token_expired', (claims) => ({ ...claims, exp: at(-61) })],
    ['an issue time in 61 s', 'token_not_yet_valid', (claims) => ({ ...claims, iat: at(61) })],
    ['a start in 61 s', 'token_not_yet_valid', (claims) => ({ ...claims, nbf: at(61) })],
    ['an issue time over an hour ago', 'token_too_old', (claims) => ({ ...claims, iat: at(-3601), nbf: at(-3601) })],
    ['a lifetime over a day', 'token_too_old', (claims) => ({ ...claims, exp: at(86_401) })],
    ['no bound claim', 'conditions_not_met', ({ repository_id, ...claims }) => claims],
    ['another repository', 'conditions_not_met', (claims) => ({ ...claims, repository_id: '70107787' })],
    ['a list of repositories', 'conditions_not_met', (claims) => ({ ...claims, repository_id: ['70107786'] })],
    ['pull_request_target', 'conditions_not_met', (claims) => ({ ...claims, event_name: 'pull_request_target' })],
    ['a list of events', 'conditions_not_met', (claims) => ({ ...claims, event_name: ['pull_request_target'] })],
    ['an unknown key', 'unknown_key', (claims) => claims, { kid: 'other' }],
    ['the key of another algorithm', 'unknown_key', (claims) => claims, { kid: 'ec' }],
    ['the type of access tokens', 'malformed_token', (claims) => claims, { typ: 'at+jwt' }],
    ['a key address', 'unsupported_header', (claims) => claims, { jku: 'https://elsewhere.example.com/keys' }],
    ['a certificate address', 'unsupported_header', (claims) => claims, { x5u: 'https://elsewhere.example.com/x' }],
    ['an embedded key', 'unsupported_header', (claims) => claims, { jwk: { kty: 'RSA' } }]
  ]
  const at = (offset: number) => Math.floor(NOW / 1000) + offset

  test.each(changes)('is refused with %s (%s)', async (_, reason, change, header) => {
    const answer = await exchange(await issuer.sign(change(github()), header), { trust })
    expect([answer.status, answer.body]).toEqual([400, refusal])
    expect((await latestAccess()).reason).toBe(reason)
  })

  const refusal = { error: 'invalid_request', error_description: 'the subject token is not accepted by any trust' }

  test.each([
    ['an expiry 59 s ago', () => ({ exp: at(-59), iat: at(-600), nbf: at(-600) })],
    ['an issue time in 59 s', () => ({ iat: at(59), nbf: at(59) })],
    ['its audience in a list', () => ({ aud: [AUDIENCE] })],
    ['a number as bound claim', () => ({ repository_id: 70_107_786 })]
  ])('is accepted with %s', async (_, change) => {
    expect((await exchange(await issuer.sign(github(change())), { trust })).status).toBe(200)
  })

  it.each([
    ['no algorithm', 'unsupported_algorithm', () => encode({ alg: 'none', typ: 'JWT' }, github())],
    ['no signature', 'malformed_token', () => encode({ alg: 'none', typ: 'JWT' }, github(), '')],
    ['the public key as secret', 'unsupported_algorithm', () => signWithPublicKey()],
    ['two parts', 'malformed_token', async () => (await issuer.sign(github())).split('.').slice(0, 2).join('.')],
    ['padding', 'malformed_token', async () => `${await issuer.sign(github())}=`],
    [
      'a header that is not JSON',
      'malformed_token',
      async () => (await issuer.sign(github())).replace(/^[^.]+/, 'e30x')
    ],
    [
      'a repeated claim',
      'malformed_token',
      () => encode({ alg: 'RS256', kid: 'rsa' }, '{"a":{"sub":1},"sub":"a","s\\u0075b":"b"}')
    ],
    ['a list as claims', 'malformed_token', () => encode({ alg: 'RS256', kid: 'rsa' }, '[]')],
    ['the signature of another token', 'wrong_signature', () => mixed()],
    ['a key of the same id', 'wrong_signature', () => forged()]
  ])('is refused with %s (%s)', async (_, reason, make) => {
    const answer = await exchange(await make(), { trust })
    expect([answer.status, answer.body]).toEqual([400, refusal])
    expect((await latestAccess()).reason).toBe(reason)
  })

  function encode(header: object, claims: object | string, signature = 'c2ln'): string {
    const text = (value: object | string) => Buffer.from(typeof value === 'string' ? value : JSON.stringify(value))
    return `${text(header).toString('base64url')}.${text(claims).toString('base64url')}.${signature}`
  }

  function signWithPublicKey(): string {
    const unsigned = encode({ alg: 'HS256', kid: 'rsa' }, github(), '')
    return `${unsigned}${createHmac('sha256', JSON.stringify(issuer.keys[0])).update(unsigned.slice(0, -1)).digest('base64url')}`
  }

  async function mixed(): Promise<string> {
    const [one, other] = [await issuer.sign(github()), await issuer.sign(github())]
    return `${one.slice(0, one.lastIndexOf('.'))}${other.slice(other.lastIndexOf('.'))}`
  }

  async function forged(): Promise<string> {
    await issuer.addKey('forged', 'RS256')
    return issuer.sign(github(), { kid: 'rsa' }, 'forged')
  }

  it('is refused with 413 if the request is larger than 16 KiB', async () => {
    const { status, body } = await exchange('a'.repeat(20 * 1024), { trust })
    expect([status, body.error]).toEqual([413, 'invalid_request'])
  })

  it.each([
    ['client_id', { client_id: 'test-admin' }, 'invalid_request', /^client_id should be omitted/],
    ['audience', { audience: 'https://flags.example.com' }, 'invalid_request', /^audience should be omitted/],
    ['actor_token', { actor_token: 'a' }, 'invalid_request', /^actor_token should be omitted/],
    ['another resource', { resource: 'https://elsewhere.example.com' }, 'invalid_target', /^resource should be http/],
    ['another result', { requested_token_type: JWT }, 'invalid_request', /^requested_token_type should be/],
    ['an unknown scope', { scope: 'feature:read pets:feed' }, 'invalid_scope', /pets:feed/],
    [
      'a scope that the trust does not grant',
      { scope: 'organization:write:settings' },
      'invalid_scope',
      /grants nothing/
    ]
  ])('is refused with %s, and can still be used', async (_, members, error, message) => {
    const token = await issuer.sign(github())
    const { status, body } = await exchange(token, { trust, ...members })
    expect([status, body]).toEqual([400, { error, error_description: expect.stringMatching(message) }])
    if (error === 'invalid_scope') expect((await exchange(token, { trust })).status).toBe(200)
  })

  it('is exchanged once, regardless of its signature', async () => {
    const token = await issuer.sign(github(), {}, 'ec')
    expect((await exchange(token, { trust })).status).toBe(200)
    expect(await exchange(token, { trust })).toMatchObject({ status: 400, body: refusal })
    expect((await latestAccess()).reason).toBe('token_reused')
    const { jti, ...anonymous } = github()
    const [one, other] = [await issuer.sign(anonymous, {}, 'ec'), await issuer.sign(anonymous, {}, 'ec')]
    expect(one).not.toBe(other)
    expect([(await exchange(one, { trust })).status, (await exchange(other, { trust })).status]).toEqual([200, 400])
  })

  it('needs the name of a trust if several accept it', async () => {
    const condition = [{ claim: 'repository_id', op: 'equals', value: '5' }]
    const keys = [await makeTrust({ conditions: condition }), await makeTrust({ conditions: condition })]
    const token = await issuer.sign(github({ repository_id: '5' }))
    const { status, body } = await exchange(token)
    expect([status, body.error_description]).toEqual([400, expect.stringContaining('several trusts accept')])
    expect((await exchange(token, { trust: keys[0]?._id ?? '' })).status).toBe(200)
  })

  it('is exchanged by the trust with the given id even if the stored key of another one equals it', async () => {
    const first = await serve(plan, loopback)
    const [named, decoy] = [await makeTrust({}, first), await makeTrust({}, first)]
    await first.close()
    const store = await openStore(toStoreUrl(first.directory))
    await store.collection('workloadTrusts').update(decoy._id, { key: named._id })
    await store.close()
    const second = await serve(first.directory, loopback)
    const { status, body } = await exchange(await issuer.sign(github()), { trust: named._id }, second)
    expect([status, body]).toEqual([200, expect.anything()])
    expect((await latestAccess(second)).target).toMatchObject({ trust: named.key })
  })

  it('is exchanged for a token that the tools refuse, since it is for the management API', async () => {
    const at = await serve(plan, { ...loopback, mcp: true })
    const made = await makeTrust({}, at)
    const { body } = await exchange(await issuer.sign(github()), { trust: made.key }, at)
    const params = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'test', version: '1' } }
    const answer = await send(at, {
      method: 'POST',
      path: '/mcp',
      headers: {
        authorization: `Bearer ${body.access_token}`,
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream'
      },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'initialize', params })
    })
    expect([answer.status, JSON.stringify(answer.body)]).toEqual([
      403,
      expect.stringContaining('CI jobs cannot use the tools')
    ])
  })

  it('is logged without control characters, and truncated', async () => {
    const token = await issuer.sign(github({ ref: 'refs/heads/\u001b[31mred\u202e\n', sha: 'a'.repeat(2000) }))
    const key = (await exchange(token, { trust })).body.access_token
    await call(server, 'updateFeature', {
      key,
      params: { project: 'shop', feature: 'checkout' },
      body: { name: 'New' }
    })
    const { body } = await call(server, 'listAuditEntries', { query: { perPage: 1 } })
    expect(body[0].workload).toMatchObject({ ref: 'refs/heads/[31mred', sha: 'a'.repeat(256) })
  })

  it('is not accepted with any byte changed', async () => {
    const token = await issuer.sign(github())
    const mutation = fc.record({ at: fc.nat(token.length - 1), char: fc.integer({ min: 33, max: 126 }) })
    const property = fc.asyncProperty(mutation, async ({ at: index, char }) => {
      const changed = `${token.slice(0, index)}${String.fromCharCode(char)}${token.slice(index + 1)}`
      fc.pre(changed !== token)
      expect((await exchange(changed, { trust })).status).toBe(400)
    })
    // The last character has spare bits, which decoders ignore.
    const last = token.length - 1
    const examples = [...'AQgwBCDEFG'].map((char): [{ at: number; char: number }] => [
      { at: last, char: char.charCodeAt(0) }
    ])
    await fc.assert(property, {
      numRuns: runs({ quick: 10, full: 500 }),
      examples: examples.filter(([{ char }]) => token.charCodeAt(last) !== char)
    })
    expect((await exchange(token, { trust })).status).toBe(200)
  })

  it('is refused with 429 after ten refusals from one address, or 30 exchanges of one trust', async () => {
    for (let count = 0; count < 10; count++) await exchange('nonsense', { trust }, server, '127.9.9.9')
    const refused = await exchange(await issuer.sign(github()), { trust }, server, '127.9.9.9')
    expect([refused.status, refused.body.error_description]).toEqual([
      429,
      expect.stringContaining('limit: 10 per minute')
    ])
    expect([refused.headers['retry-after'], refused.headers['retry-later']]).toEqual([
      expect.any(String),
      expect.any(String)
    ])
    const busy = (await makeTrust()).key
    const tokens = await Promise.all(Array.from({ length: 31 }, () => issuer.sign(github())))
    const statuses = []
    for (const token of tokens) statuses.push((await exchange(token, { trust: busy })).status)
    expect(statuses).toEqual([...Array.from({ length: 30 }, () => 200), 429])
  })
})

describe('conditions', () => {
  test.each([
    ['refs/heads/main*', 'refs/heads/main', true],
    ['refs/heads/main*', 'refs/heads/main-2', true],
    ['refs/heads/main*', 'refs/heads/main/../x', false],
    ['refs/heads/*', 'refs/heads/a/b', false],
    ['refs/*/release-*-x', 'refs/heads/release-1-2-x', true],
    ['refs/*/release-*-x', 'refs/heads/release-x', false],
    ['a*a', 'a', false],
    ['a*b*c', 'abbc', true],
    ['a.c*', 'abcd', false]
  ])('match the pattern %s against %s: %s', async (value, ref, isMatch) => {
    const { key } = await makeTrust({
      conditions: [
        { claim: 'repository_id', op: 'equals', value: '70107786' },
        { claim: 'ref', op: 'glob', value }
      ]
    })
    const { status } = await exchange(await issuer.sign(github({ ref })), { trust: key })
    expect(status).toBe(isMatch ? 200 : 400)
  })

  it('compare booleans as text, and can name a dangerous event', async () => {
    const { key } = await makeTrust({
      conditions: [
        { claim: 'repository', op: 'equals', value: 'acme/shop' },
        { claim: 'ref_protected', op: 'equals', value: 'true' },
        { claim: 'event_name', op: 'equals', value: 'pull_request_target' }
      ]
    })
    const claims = github({ ref_protected: true, event_name: 'pull_request_target' })
    expect((await exchange(await issuer.sign(claims), { trust: key })).status).toBe(200)
  })
})

describe('the keys of an issuer', () => {
  /** An issuer whose keys the server has not read. */
  async function fresh(at = server) {
    const of = await startCiIssuer()
    const { key } = await makeTrust({}, at, of)
    const ask = async (header?: object, kid?: string, from?: string) => {
      const seconds = Math.floor(at.clock.now() / 1000)
      const times = { iat: seconds, nbf: seconds, exp: seconds + 60 }
      return exchange(await of.sign({ ...githubClaims(of, AUDIENCE), ...times }, header, kid), { trust: key }, at, from)
    }
    return { of, at, ask, after: (ms: number) => Object.assign(at.clock, { now: () => NOW + ms }) }
  }

  it('are read once for many tokens, again after an hour, and follow a rotation', async () => {
    const { of, ask, after } = await fresh()
    expect(of.requests).toEqual([])
    const answers = await Promise.all([ask(), ask(), ask()])
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200])
    expect(of.requests).toEqual(['/.well-known/openid-configuration', '/keys'])
    of.keys = [await of.addKey('next', 'RS256')]
    expect((await ask({}, 'next')).status).toBe(400)
    after(61_000)
    expect((await ask({}, 'next')).status).toBe(200)
    expect(of.requests).toHaveLength(4)
    for (let count = 0; count < 5; count++) expect((await ask({ kid: `storm-${count}` })).status).toBe(400)
    expect(of.requests).toHaveLength(4)
    after(61_000 + 3_601_000)
    expect((await ask({}, 'next')).status).toBe(200)
    expect(of.requests).toHaveLength(6)
  })

  it('are used for a day while the issuer is down; then exchanges return 503', async () => {
    const { of, ask, after, at } = await fresh()
    of.cacheControl = 'public, max-age=1'
    expect((await ask()).status).toBe(200)
    of.answer = (_, response) => response.writeHead(500).end()
    after(290_000)
    expect((await ask()).status).toBe(200)
    expect(of.requests).toHaveLength(2)
    after(310_000)
    expect((await ask()).status).toBe(200)
    expect(of.requests).toHaveLength(3)
    after(86_400_000 + 310_000)
    const down = await ask()
    expect([down.status, down.body.error]).toEqual([503, 'temporarily_unavailable'])
    expect(down.headers['retry-after']).toMatch(/^\d+$/)
    const metrics = await send(at, { path: '/metrics' })
    expect(metrics.body).toContain(`burgee_issuer_key_failures_total{issuer="${of.url}"} 2`)
  })

  it.each<[string, (of: CiIssuer) => void]>([
    ['names another issuer', (of) => Object.assign(of, { named: `${of.url}/` })],
    ['returns 500', (of) => Object.assign(of, { answer: (_: unknown, to: Answer) => to.writeHead(500).end() })],
    ['redirects', (of) => redirect(of)],
    [
      'has too large a key set',
      (of) => Object.assign(of, { keys: [...of.keys, { kty: 'oct', k: 'a'.repeat(300_000) }] })
    ],
    ['publishes its keys elsewhere', (of) => elsewhere(of)]
  ])('are not read, and exchanges return 503, if the issuer %s', async (_, change) => {
    const { of, ask } = await fresh()
    change(of)
    expect((await ask()).status).toBe(503)
  })

  type Answer = { writeHead: (status: number, headers?: object) => Answer; end: (text?: string) => void }

  function redirect(of: CiIssuer): void {
    of.answer = (_, response) => response.writeHead(302, { location: 'http://127.0.0.1:1/' }).end()
  }

  function elsewhere(of: CiIssuer): void {
    of.answer = (_, response) => response.end(JSON.stringify({ issuer: of.url, jwks_uri: 'http://127.0.0.2:1/keys' }))
  }

  it('are not read from a private address unless the settings allow it', async () => {
    const { of, ask } = await fresh(await serve(plan))
    expect((await ask()).status).toBe(503)
    expect(of.requests).toEqual([])
  })

  it('are read from the address of the trust without discovery', async () => {
    const of = await startCiIssuer()
    const { key } = await makeTrust({ issuer: 'https://ci.invalid', jwksUri: `${of.url}/keys` }, server, of)
    const token = await of.sign({ ...githubClaims(of, AUDIENCE), iss: 'https://ci.invalid' })
    expect((await exchange(token, { trust: key })).status).toBe(200)
    expect(of.requests).toEqual(['/keys'])
  })

  it('verify a token without a key id only if exactly one of them fits', async () => {
    const { of, ask } = await fresh()
    expect((await ask({ kid: undefined })).status).toBe(200)
    of.keys = [...of.keys, await of.addKey('second', 'RS256')]
    const later = await fresh()
    later.of.keys = [...later.of.keys, await later.of.addKey('second', 'RS256')]
    expect((await later.ask({ kid: undefined })).status).toBe(400)
  })
})

describe('a token of a CI job', () => {
  const ask = (key: string) => call(server, 'listFeatures', { key, params: { project: 'shop' } })

  it.each<[string, (trust: WorkloadTrust) => Promise<unknown>, RegExp]>([
    ['disabled', ({ key }) => update(key, { enabled: false }), /trust is disabled/],
    ['deleted', ({ key }) => call(server, 'deleteWorkloadTrust', { params: { trust: key } }), /trust no longer exists/],
    ['changed', ({ key }) => update(key, { audience: 'https://other.example.com' }), /trust was changed/],
    ['expired', async () => Object.assign(server.clock, { now: () => NOW + 120_000 }), /expired/]
  ])('ends at once when its trust is %s', async (_, end, message) => {
    const made = await makeTrust({ expiresAt: new Date(NOW + 100_000).toISOString() })
    const key = await tokenOfJob(made.key)
    expect((await ask(key)).status).toBe(200)
    server.clock.now = () => NOW + 1000
    await end(made)
    const { status, body } = await ask(key)
    expect([status, body.message]).toEqual([401, expect.stringMatching(message)])
  })

  const update = (key: string, body: object) => call(server, 'updateWorkloadTrust', { params: { trust: key }, body })

  it('stays revoked when its trust is enabled again, or recreated with the same key', async () => {
    const made = await makeTrust()
    const key = await tokenOfJob(made.key)
    server.clock.now = () => NOW + 1000
    await update(made.key, { enabled: false })
    await update(made.key, { enabled: true })
    expect((await ask(key)).status).toBe(401)
    await call(server, 'deleteWorkloadTrust', { params: { trust: made.key } })
    await makeTrust({ key: made.key })
    expect((await ask(key)).body.message).toMatch(/trust no longer exists/)
  })

  it('survives a new name of its trust, and has the lifetime from the trust', async () => {
    const made = await makeTrust({ grants: { projects: ['shop'], role: 'viewer', maxLifetime: 60 } })
    const key = await tokenOfJob(made.key)
    server.clock.now = () => NOW + 30_000
    await update(made.key, { name: 'Other' })
    expect((await ask(key)).status).toBe(200)
    server.clock.now = () => NOW + 61_000
    expect((await ask(key)).body.message).toBe('jwt expired')
  })

  it('is listed and revoked by owners, and by the job itself', async () => {
    const made = await makeTrust()
    const [one, other] = [await tokenOfJob(made.key), await tokenOfJob(made.key)]
    const params = { trust: made.key }
    const { body } = await call(server, 'listWorkloadTokens', { params })
    expect(body).toHaveLength(2)
    expect(body[0]).toMatchObject({ origin: 'CI trust', trust: made.key, workload: { repository: 'acme/shop' } })
    for (const { _id: token } of body) {
      expect((await call(server, 'revokeWorkloadToken', { params: { ...params, token } })).status).toBe(200)
    }
    expect([(await ask(one)).status, (await ask(other)).status]).toEqual([401, 401])
    expect((await call(server, 'listWorkloadTokens', { params })).body).toEqual([])
    const entries = await call(server, 'listAuditEntries', { query: { perPage: 1 } })
    expect(entries.body[0].changes).toEqual([
      {
        type: 'deletedWorkloadToken',
        newContents: null,
        previousContents: expect.objectContaining({ trust: made.key })
      }
    ])
    const own = await tokenOfJob(made.key)
    const revoked = await send(server, {
      method: 'POST',
      path: '/oauth/revoke',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body: `token=${own}`
    })
    expect([revoked.status, (await ask(own)).status]).toEqual([200, 401])
  })

  it('cannot create users, clients, trusts or projects, and is not a person', async () => {
    const key = await tokenOfJob((await makeTrust({ grants: { projects: ['shop'], role: 'project_admin' } })).key)
    const bodies = {
      createUser: { email: 'a@example.com', name: 'A', roles: [] },
      createApiClient: { name: 'A', roles: [] },
      createWorkloadTrust: { ...github(), key: 'x' },
      createProject: { key: 'mine', name: 'Mine' }
    } as const
    for (const [id, body] of Object.entries(bodies)) {
      // The keys are ids of operations.
      expect([id, (await call(server, id as keyof typeof bodies, { key, body })).status]).toEqual([id, 403])
    }
    expect((await call(server, 'listOwnSessions', { key })).status).toBe(403)
    expect((await call(server, 'rotateSigningKey', { key })).status).toBe(403)
  })

  it('has access only to the projects of its trust', async () => {
    await call(server, 'createProject', { body: { key: 'other', name: 'Other' } })
    const key = await tokenOfJob((await makeTrust()).key)
    const { body } = await call(server, 'listProjects', { key })
    expect(body.map((project: { key: string }) => project.key)).toEqual(['shop'])
    expect((await call(server, 'listFeatures', { key, params: { project: 'other' } })).status).toBe(404)
  })

  it('changes only the environments of its trust, and sees no SDK keys of others', async () => {
    const grants = { projects: ['shop'], role: 'project_admin', environments: ['staging'] }
    const key = await tokenOfJob((await makeTrust({ grants })).key)
    const params = { project: 'shop', feature: 'checkout' }
    const configure = (environment: string) => {
      return call(server, 'updateFeatureConfiguration', {
        key,
        params,
        query: { environment },
        body: { status: 'inactive' }
      })
    }
    expect((await configure('staging')).status).toBe(200)
    expect(await configure('production')).toMatchObject({ status: 403 })
    const rename = await call(server, 'updateFeature', { key, params, body: { name: 'Renamed' } })
    expect([rename.status, rename.body.message]).toEqual([403, expect.stringContaining('certain environments')])
    expect((await call(server, 'createVariable', { key, params, body: { key: 'v', type: 'Boolean' } })).status).toBe(
      403
    )
    const { body } = await call(server, 'listEnvironments', { key, params })
    const shown = body.filter(({ sdkKeys }: { sdkKeys?: object }) => sdkKeys)
    expect(shown.map((environment: { key: string }) => environment.key)).toEqual(['staging'])
    const { status } = await call(server, 'generateSdkKeys', {
      key,
      params: { ...params, environment: 'production' },
      body: { server: true }
    })
    expect(status).toBe(403)
    const secrets = { params: { ...params, environment: 'production' }, key }
    expect((await call(server, 'listUserSigningSecrets', secrets)).status).toBe(403)
    expect(
      (await call(server, 'listUserSigningSecrets', { ...secrets, params: { ...params, environment: 'staging' } }))
        .status
    ).toBe(200)
  })

  it('gets from a dry run the refusal that the request itself would get', async () => {
    await call(server, 'createFeature', { params: { project: 'shop' }, body: { key: 'dry', name: 'Dry' } })
    const params = { project: 'shop', feature: 'dry' }
    await call(server, 'updateFeature', { params, body: { name: 'Dry run' } })
    const { body: entries } = await call(server, 'getFeatureAudit', { params })
    const production = { project: 'shop', environment: 'production' }
    const { body: environment } = await call(server, 'generateSdkKeys', { params: production, body: { server: true } })
    const grants = { projects: ['shop'], role: 'project_admin', environments: ['staging'] }
    const key = await tokenOfJob((await makeTrust({ grants })).key)
    const refusedOperations = [
      ['updateFeatureStatus', params, { status: 'archived' }],
      ['updateFeatureStatusV1', params, { status: 'archived' }],
      ['revertFeature', { ...params, entry: entries[0]._id }],
      ['invalidateSdkKey', { ...production, key: environment.sdkKeys.server[0].key }]
    ] as const
    for (const [id, at, body] of refusedOperations) {
      const request = { key, params: at, ...(body ? { body } : {}) }
      const dry = await call(server, id, { ...request, query: { dryRun: 'true' } })
      expect([id, dry.status, dry.body?.message]).toEqual([id, 403, expect.stringContaining('certain environments')])
      expect(await call(server, id, request)).toMatchObject({ status: 403, body: dry.body })
    }
    const staging = { project: 'shop', environment: 'staging' }
    const generated = await call(server, 'generateSdkKeys', { params: staging, body: { mobile: true } })
    const invalidated = { ...staging, key: generated.body.sdkKeys.mobile[0].key }
    const allowed = await call(server, 'invalidateSdkKey', { key, params: invalidated, query: { dryRun: 'true' } })
    expect(allowed.status).toBe(200)
  })

  it('loses a deleted environment, even if another one gets its key later', async () => {
    const project = await call(server, 'createProject', { body: { key: 'moving', name: 'Moving' } })
    expect(project.status).toBe(201)
    const inMoving = { project: 'moving' }
    const environment = { key: 'preview', name: 'Preview', type: 'development' }
    await call(server, 'createEnvironment', { params: inMoving, body: environment })
    const grants = { projects: ['moving'], role: 'publisher', environments: ['preview'] }
    const key = await tokenOfJob((await makeTrust({ grants })).key)
    await call(server, 'deleteEnvironment', { params: { ...inMoving, key: 'preview' } })
    await call(server, 'createEnvironment', { params: inMoving, body: environment })
    const answer = await call(server, 'updateEnvironment', {
      key,
      params: { ...inMoving, key: 'preview' },
      body: { name: 'Mine' }
    })
    expect(answer.status).toBe(403)
  })

  it('sees the users of its environments only', async () => {
    const grants = { projects: ['shop'], role: 'project_admin', environments: ['staging'] }
    const key = await tokenOfJob((await makeTrust({ grants })).key)
    const listed = (environment: string) =>
      call(server, 'listSampleUsers', { key, params: { project: 'shop', key: environment } })
    expect((await listed('staging')).status).toBe(200)
    const refused = await listed('production')
    expect([refused.status, refused.body.message]).toEqual([403, expect.stringContaining('certain environments')])
    const preview = (body: object) =>
      call(server, 'previewFeature', { key, params: { project: 'shop', feature: 'checkout' }, body })
    const update = { configurations: { staging: { status: 'inactive' } } }
    expect((await preview({ update, environments: ['production'] })).status).toBe(403)
    const all = await preview({ update })
    expect([all.status, Object.keys(all.body.environments)]).toEqual([200, ['staging']])
  })

  it('previews no audiences, which belong to all environments, if it is limited to some', async () => {
    const preview = async (limits: object) => {
      const grants = { projects: ['shop'], role: 'project_admin', ...limits }
      const key = await tokenOfJob((await makeTrust({ grants })).key)
      const filters = { operator: 'and', filters: [{ type: 'all' }] }
      const body = { environment: 'staging', filters }
      return call(server, 'previewAudience', { key, params: { project: 'shop' }, body })
    }
    const refused = await preview({ environments: ['staging'] })
    expect([refused.status, refused.body.message]).toEqual([403, expect.stringContaining('audience:write')])
    expect((await preview({})).status).toBe(200)
  })

  it('acts on change requests about its environments only, except its own', async () => {
    const settings = { disablePassthroughRollouts: false, featureApprovalWorkflow: { enabled: true } }
    await call(server, 'updateProjectSettings', { params: { key: 'shop' }, body: { settings } })
    const grants = { projects: ['shop'], role: 'publisher', environments: ['staging'] }
    const key = await tokenOfJob((await makeTrust({ grants })).key)
    const params = { project: 'shop', feature: 'checkout' }
    const request = async (environment: string, by: { key?: string } = {}) => {
      const path = '/v2/projects/shop/features/checkout'
      const body = { configurations: { [environment]: { status: 'inactive', targets: [] } } }
      const change = { path, method: 'PATCH', body }
      const created = await call(server, 'createChangeRequest', { params, body: change, ...by })
      expect([created.status, created.body.message]).toEqual([201, undefined])
      const ofRequest = { ...params, id: created.body._id }
      const submission = { description: 'Please', reviewers: [] }
      await call(server, 'submitChangeRequest', { params: ofRequest, body: submission, ...by })
      return ofRequest
    }
    const { body: eve } = await call(server, 'createUser', { body: { email: 'eve@example.com', name: 'Eve' } })
    const eves = { key: await personToken(server, eve.user_id) }
    const production = await request('production', eves)
    const attempts = [
      call(server, 'cancelChangeRequest', { params: production, key }),
      ...['approved', 'rejected'].map((action) => {
        return call(server, 'reviewChangeRequest', { params: production, body: { action, comment: 'No' }, key })
      })
    ]
    for (const { status, body } of await Promise.all(attempts)) {
      expect([status, body.message]).toEqual([403, expect.stringContaining('certain environments')])
    }
    expect((await call(server, 'getChangeRequest', { params: production })).body.status).toBe('pending')
    await call(server, 'cancelChangeRequest', { params: production })
    const staging = await request('staging', eves)
    expect((await call(server, 'cancelChangeRequest', { params: staging, key })).status).toBe(200)
    const own = await request('production', { key })
    expect((await call(server, 'cancelChangeRequest', { params: own, key })).status).toBe(200)
  })

  it('needs approval in a protected environment, and cannot schedule', async () => {
    const settings = { disablePassthroughRollouts: false, featureApprovalWorkflow: { enabled: true } }
    await call(server, 'updateProjectSettings', { params: { key: 'shop' }, body: { settings } })
    const key = await tokenOfJob((await makeTrust()).key)
    const params = { project: 'shop', feature: 'checkout' }
    const direct = await call(server, 'updateFeatureConfiguration', {
      key,
      params,
      query: { environment: idOf('production') },
      body: { status: 'inactive' }
    })
    expect(direct.status).toBe(403)
    expect(direct.body.message).toMatch(/approval|change request/)
    const body = { path: '/v2/projects/shop/features/checkout', method: 'PATCH', body: { name: 'Approved' } }
    const { body: request } = await call(server, 'createChangeRequest', { key, params, body })
    const ofRequest = { ...params, id: request._id }
    await call(server, 'submitChangeRequest', {
      key,
      params: ofRequest,
      body: { description: 'Please', reviewers: [] }
    })
    const review = { action: 'approved', comment: 'Fine' }
    // The creator of the trust and its jobs count as one approver.
    expect((await call(server, 'reviewChangeRequest', { params: ofRequest, body: review })).status).toBe(403)
    // Its jobs and a person who changed which jobs it accepts count as one, too.
    const { body: bob } = await call(server, 'createUser', { body: { email: 'bob@example.com', name: 'Bob' } })
    const bobs = await personToken(server, bob.user_id)
    const trust = await makeTrust()
    const changed = { key: bobs, params: { trust: trust.key } }
    expect((await call(server, 'updateWorkloadTrust', { ...changed, body: { enabled: false } })).status).toBe(200)
    expect((await call(server, 'updateWorkloadTrust', { ...changed, body: { enabled: true } })).status).toBe(200)
    await call(server, 'cancelChangeRequest', { params: ofRequest })
    const { body: own } = await call(server, 'createChangeRequest', { key: bobs, params, body })
    expect(own.message).toBeUndefined()
    const ofOwn = { ...params, id: own._id }
    await call(server, 'submitChangeRequest', {
      key: bobs,
      params: ofOwn,
      body: { description: 'Please', reviewers: [] }
    })
    const byJob = await call(server, 'reviewChangeRequest', {
      key: await tokenOfJob(trust.key),
      params: ofOwn,
      body: review
    })
    expect(byJob.status).toBe(403)
    expect((await call(server, 'reviewChangeRequest', { params: ofOwn, body: review })).status).toBe(200)
    const applyAt = new Date(NOW + 60_000).toISOString()
    const scheduled = await call(server, 'scheduleChangeRequest', { key, params: ofRequest, body: { applyAt } })
    expect([scheduled.status, scheduled.body.message]).toEqual([403, expect.stringContaining('cannot schedule')])
    await call(server, 'updateProjectSettings', {
      params: { key: 'shop' },
      body: { settings: { disablePassthroughRollouts: false, featureApprovalWorkflow: { enabled: false } } }
    })
  })

  it('counts as the people who changed its trust in an earlier version, whom only the audit log names', async () => {
    const first = await serve(plan, loopback)
    const { body: bob } = await call(first, 'createUser', { body: { email: 'bob@example.com', name: 'Bob' } })
    const made = await makeTrust({}, first)
    const change = { key: await personToken(first, bob.user_id), params: { trust: made.key } }
    expect((await call(first, 'updateWorkloadTrust', { ...change, body: { audience: `${AUDIENCE}/x` } })).status).toBe(
      200
    )
    expect(
      (await call(first, 'updateWorkloadTrust', { params: change.params, body: { audience: AUDIENCE } })).status
    ).toBe(200)
    await first.close()
    const store = await openStore(toStoreUrl(first.directory))
    await store.collection('workloadTrusts').update(made._id, { _roots: undefined } as object)
    await store.close()
    const second = await serve(first.directory, loopback)
    const settings = { disablePassthroughRollouts: false, featureApprovalWorkflow: { enabled: true } }
    await call(second, 'updateProjectSettings', { params: { key: 'shop' }, body: { settings } })
    const review = async () => {
      const key = await personToken(second, bob.user_id)
      const params = { project: 'shop', feature: 'checkout' }
      const body = { path: '/v2/projects/shop/features/checkout', method: 'PATCH', body: { name: 'Approved' } }
      const { body: request } = await call(second, 'createChangeRequest', { key, params, body })
      const ofRequest = { params: { ...params, id: request._id } }
      await call(second, 'submitChangeRequest', { key, ...ofRequest, body: { description: 'Please', reviewers: [] } })
      const { body: job } = await exchange(await issuer.sign(github()), { trust: made.key }, second)
      const approved = { action: 'approved', comment: 'Fine' }
      const answer = await call(second, 'reviewChangeRequest', { key: job.access_token, ...ofRequest, body: approved })
      await call(second, 'cancelChangeRequest', { key, ...ofRequest })
      return answer.status
    }
    expect(await review()).toBe(403)
    // The next change keeps those of before.
    await call(second, 'updateWorkloadTrust', { params: change.params, body: { enabled: false } })
    await call(second, 'updateWorkloadTrust', { params: change.params, body: { enabled: true } })
    expect(await review()).toBe(403)
  })

  it('stays valid after a restart, and its subject token stays used', async () => {
    const first = await serve({}, { ...loopback, publicUrl: 'https://flags.example.com' })
    const of = await startCiIssuer()
    const made = await makeTrust({}, first, of)
    const token = await of.sign(githubClaims(of, AUDIENCE))
    const { body } = await exchange(token, { trust: made.key }, first)
    await first.close()
    const second = await serve(first.directory, { ...loopback, publicUrl: 'https://flags.example.com' })
    expect((await exchange(token, { trust: made.key }, second)).status).toBe(400)
    expect((await call(second, 'listProjects', { key: body.access_token })).status).toBe(200)
    expect(await tokenOf(second)).toBeDefined()
  })
})
