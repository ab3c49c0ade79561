import { createHash, scryptSync } from 'node:crypto'
import { connect, type Socket } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import { addAccounts, authorize, type Browser, openBrowser, REDIRECT_URI } from '@burgee/testing/browser'
import {
  type ApiResponse,
  call,
  options,
  send,
  serve,
  storeWith,
  type TestServer,
  toStoreUrl
} from '@burgee/testing/harness'
import { idOf, keyOf, NOW } from '@burgee/testing/plan'
import { afterEach, describe, expect, it } from 'vitest'
import { appendChecksum } from '../../../src/lib/secrets/checksum.ts'
import { openStore } from '../../../src/storage/open/openStore.ts'

const open: Socket[] = []

afterEach(() => {
  for (const socket of open.splice(0)) socket.destroy()
})

/** Opens a connection that sends this text and then idles. */
function linger({ port }: TestServer, bytes: string): Socket {
  const socket = connect({ port, host: '127.0.0.1', allowHalfOpen: true })
  socket.on('error', () => {})
  socket.write(bytes)
  open.push(socket)
  return socket
}

const UNFINISHED = [
  'POST /oauth/token HTTP/1.1',
  'host: flags.example.com',
  'content-type: application/x-www-form-urlencoded',
  'content-length: 100',
  '',
  'grant'
].join('\r\n')

const administrator = { client_id: options.adminClientId, client_secret: options.adminClientSecret }

function ask(
  server: TestServer,
  fields: Readonly<Record<string, string>>,
  localAddress?: string
): Promise<ApiResponse> {
  return send(server, {
    method: 'POST',
    path: '/oauth/token',
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    body: new URLSearchParams({ grant_type: 'client_credentials', ...fields }).toString(),
    ...(localAddress === undefined ? {} : { localAddress })
  })
}

describe('unfinished requests', () => {
  it('do not block other token requests', async () => {
    const server = await serve({})
    const sockets = Array.from({ length: 80 }, () => linger(server, UNFINISHED))
    await pause(300)
    expect((await ask(server, administrator)).status).toBe(200)
    // An aborted request is not an error of the server.
    for (const socket of sockets) socket.destroy()
    const aborted = () => server.logs.filter((line) => JSON.parse(line).status === 408)
    await expect.poll(() => aborted().length).toBe(80)
    expect(server.logs.filter((line) => JSON.parse(line).level >= 50)).toEqual([])
  })

  it('are closed once they are refused, even if the caller does not hang up', async () => {
    const server = await serve({})
    const socket = linger(server, 'no request at all\r\n\r\n')
    let text = ''
    socket.on('data', (bytes) => {
      text += bytes
    })
    let isCut = false
    socket.once('error', () => {
      isCut = true
    })
    for (let waited = 0; waited < 300 && !isCut; waited++) {
      await pause(100)
      if (!isCut) socket.write('more')
    }
    expect(text).toMatch(/^HTTP\/1\.1 400 .*"statusCode":400/s)
    expect(isCut).toBe(true)
  })
})

describe('the start of a sign-in', () => {
  it('accepts a query of 4096 characters, and refuses longer ones with a message', async () => {
    const server = await serve({})
    const path = `/oauth/authorize?client_id=app&nonce=${'x'.repeat(4096)}`
    const program = await send(server, { path, headers: { accept: 'application/json' } })
    expect([program.status, program.body.statusCode]).toEqual([414, 414])
    expect(program.body.message).toMatch(/^the query should have at most 4096 characters, got 41\d\d$/)
    const page = await send(server, { path, headers: { accept: 'text/html' } })
    expect(page.status).toBe(414)
    expect(page.headers['content-type']).toMatch(/^text\/html/)
    expect(page.headers['content-security-policy']).toContain("default-src 'none'")
  })

  it('stores no unknown parameters', async () => {
    const directory = await storeWith({})
    await addAccounts(directory, {})
    const server = await serve(directory)
    expect((await authorize(openBrowser(server), { 'unheard-of': 'kept by nobody', nonce: 'kept' })).status).toBe(200)
    await server.close()
    const [interaction] = await interactionsIn(directory)
    expect(JSON.stringify(interaction)).toContain('"nonce":"kept"')
    expect(JSON.stringify(interaction)).not.toContain('kept by nobody')
    expect((interaction?.expiresAt ?? 0) - Date.parse(interaction?.createdAt ?? '')).toBe(15 * 60_000)
  })

  it('of another network is not discarded for those of the network with the most', async () => {
    const directory = await storeWith({})
    await addAccounts(directory, {})
    const store = await openStore(toStoreUrl(directory))
    await store.transaction(async (transaction) => {
      for (let number = 0; number < 2000; number++) {
        const createdAt = new Date(NOW - 600_000 + number).toISOString()
        await transaction.collection('authorizations').insert({
          _id: idOf(`open ${number}`),
          createdAt,
          updatedAt: createdAt,
          model: 'Interaction',
          digest: `${number}`,
          payload: {},
          network: number < 5 ? `192.0.2.${number}` : '2001:db8:0:1::/64',
          expiresAt: NOW + 60_000
        })
      }
    })
    await store.close()
    const server = await serve(directory, { trustedProxies: 1 })
    const forwarded = { 'x-forwarded-for': '2001:db8:0:2::7', accept: 'text/html' }
    const query = new URLSearchParams({
      client_id: 'app',
      response_type: 'code',
      redirect_uri: REDIRECT_URI,
      code_challenge: 'x'.repeat(43),
      code_challenge_method: 'S256'
    })
    expect((await send(server, { path: `/oauth/authorize?${query}`, headers: forwarded })).status).toBe(303)
    await server.close()
    const kept = await interactionsIn(directory)
    expect(kept).toHaveLength(2000)
    expect(kept.slice(0, 6).map(({ digest }) => digest)).toEqual(['0', '1', '2', '3', '4', '6'])
    expect(kept.at(-1)?.network).toBe('2001:db8:0:2::/64')
  })

  it('is discarded as the oldest of more than 2000', async () => {
    const directory = await storeWith({})
    await addAccounts(directory, {})
    const store = await openStore(toStoreUrl(directory))
    const at = (number: number) => new Date(NOW - 600_000 + number).toISOString()
    await store.transaction(async (transaction) => {
      for (let number = 0; number < 2001; number++) {
        await transaction.collection('authorizations').insert({
          _id: idOf(`open ${number}`),
          createdAt: at(number),
          updatedAt: at(number),
          model: 'Interaction',
          digest: `${number}`,
          payload: number === 0 ? { session: { accountId: 'burgee|somebody' } } : {},
          expiresAt: NOW + 60_000
        })
      }
    })
    await store.close()
    const server = await serve(directory)
    expect((await authorize(openBrowser(server))).status).toBe(200)
    await server.close()
    const kept = await interactionsIn(directory)
    expect(kept).toHaveLength(2000)
    // The user who has signed in stays; of the others, the two oldest are discarded.
    expect(kept.filter(({ digest }) => ['0', '1', '2', '3'].includes(digest)).map(({ digest }) => digest)).toEqual([
      '0',
      '3'
    ])
  })

  it('is limited to 60 in a minute for each address', async () => {
    const server = await serve({})
    const begin = (localAddress: string, accept = 'text/html') =>
      send(server, { path: '/oauth/authorize?client_id=nobody', headers: { accept }, localAddress })
    for (let count = 0; count < 60; count++) expect((await begin('127.0.3.1')).status).toBe(400)
    const page = await begin('127.0.3.1')
    expect([page.status, Number(page.headers['retry-after']) > 0]).toEqual([429, true])
    expect(page.headers['content-type']).toMatch(/^text\/html/)
    expect((await begin('127.0.3.1', 'application/json')).body.statusCode).toBe(429)
    expect((await begin('127.0.3.2')).status).toBe(400)
  })
})

async function interactionsIn(directory: string) {
  const store = await openStore(toStoreUrl(directory))
  const { items } = await store
    .collection('authorizations')
    .list({ where: { model: 'Interaction' }, sortBy: 'createdAt' })
  await store.close()
  return items
}

describe('wrong secrets', () => {
  const basic = (server: TestServer, id: string) => {
    const headers = {
      authorization: `Basic ${Buffer.from(`${id}:wrong`).toString('base64')}`,
      'content-type': 'application/x-www-form-urlencoded'
    }
    return send(server, { method: 'POST', path: '/oauth/token', headers, body: 'grant_type=client_credentials' })
  }

  it('do not lock out clients with a generated secret at the same address', async () => {
    const server = await serve({})
    const { body: made } = await call(server, 'createApiClient', { body: { name: 'CI', clientId: 'ci' } })
    for (let count = 0; count < 10; count++) await ask(server, { client_id: 'ci', client_secret: 'wrong' })
    expect((await ask(server, { client_id: 'ci', client_secret: 'wrong' })).status).toBe(429)
    const flood = Array.from({ length: 200 }, (_, number) => {
      return ask(server, { client_id: `nobody-${number}`, client_secret: 'wrong' })
    })
    expect((await ask(server, { client_id: 'ci', client_secret: made.clientSecret })).status).toBe(200)
    await Promise.all(flood)
    expect((await ask(server, { client_id: 'ci', client_secret: made.clientSecret })).status).toBe(200)
  })

  it('are limited to 40 in a minute for each address, except for clients that have authenticated there', async () => {
    const ops = { client_id: 'ops', client_secret: 'a-configured-secret' }
    const server = await serve({}, { adminClientId: ops.client_id, adminClientSecret: ops.client_secret })
    expect((await ask(server, ops)).status).toBe(200)
    const guess = (number: number) => ask(server, { client_id: `nobody-${number}`, client_secret: 'wrong' })
    for (let number = 0; number < 40; number++) expect((await guess(number)).status).toBe(401)
    const refused = await guess(41)
    expect(refused.status).toBe(429)
    const other = await ask(server, { client_id: 'nobody', client_secret: 'wrong' }, '127.0.4.1')
    expect(other.status).toBe(401)
    expect((await ask(server, ops)).status).toBe(200)
    // Wrong secrets for this client are still counted, and refused like those for any other.
    for (let number = 0; number < 10; number++) {
      const wrong = await ask(server, { ...ops, client_secret: 'wrong' })
      expect([wrong.status, wrong.body.error_description.replace(/\d+ s/, '')]).toEqual([
        429,
        refused.body.error_description.replace(/\d+ s/, '')
      ])
    }
    expect((await ask(server, ops)).status).toBe(429)
  })

  it('do not lock out an administrator whose configured secret has the generated form', async () => {
    const adminClientSecret = appendChecksum(`burgee_secret_${'q7Zr-X_2'.repeat(5)}abc`)
    const server = await serve({}, { adminClientId: 'ops', adminClientSecret })
    expect((await ask(server, { client_id: 'ops', client_secret: adminClientSecret })).status).toBe(200)
    await server.close()
    const store = await openStore(toStoreUrl(server.directory))
    const client = await store.collection('clients').get({ clientId: 'ops' })
    await store.close()
    // Wrong secrets are not counted for such hashes: see the first test.
    expect(client?.secretVerifier).toMatch(/^sha256\$/)
  })

  it('in the Authorization header do not reveal which clients exist', async () => {
    const server = await serve({})
    for (let number = 0; number < 11; number++) expect((await basic(server, `nobody-${number}`)).status).toBe(401)
    for (const id of ['nobody', options.adminClientId]) {
      const statuses: number[] = []
      for (let count = 0; count < 11; count++) statuses.push((await basic(server, id)).status)
      expect(statuses).toEqual([...Array(10).fill(401), 429])
    }
  })

  it('are counted by the address from the trusted proxies only', async () => {
    const guess = async (server: TestServer, forwarded: string) => {
      const answer = await send(server, {
        method: 'POST',
        path: '/oauth/token',
        headers: { 'content-type': 'application/x-www-form-urlencoded', 'x-forwarded-for': forwarded },
        body: new URLSearchParams({ grant_type: 'client_credentials', client_id: 'x', client_secret: 'y' }).toString()
      })
      return answer.status
    }
    const cases = [
      // Without trusted proxies the header is ignored, and all requests come from one address.
      [0, (number: number) => `192.0.2.${number}`, 429],
      // Callers can forge all but the last two entries.
      [2, (number: number) => `198.51.100.${number}, 192.0.2.1, 10.0.0.1`, 429],
      [2, (number: number) => `192.0.2.${number}, 10.0.0.1`, 401],
      [1, (number: number) => `no address ${number}`, 429]
    ] as const
    for (const [trustedProxies, forwarded, last] of cases) {
      const server = await serve({}, { trustedProxies })
      const statuses: number[] = []
      for (let number = 0; number < 11; number++) statuses.push(await guess(server, forwarded(number)))
      expect([trustedProxies, ...statuses]).toEqual([trustedProxies, ...Array(10).fill(401), last])
    }
  })

  it('behind a proxy lock out neither a client elsewhere nor reveal that it exists', async () => {
    // The secret is configured, so its hash is slow and wrong ones are counted.
    const configured = { adminClientId: 'ops', adminClientSecret: 'a-configured-secret' }
    const server = await serve({}, { trustedProxies: 1, ...configured })
    const guess = (forwarded: string, client_id: string, client_secret: string) =>
      send(server, {
        method: 'POST',
        path: '/oauth/token',
        headers: { 'content-type': 'application/x-www-form-urlencoded', 'x-forwarded-for': forwarded },
        body: new URLSearchParams({ grant_type: 'client_credentials', client_id, client_secret }).toString()
      })
    const refusals: ApiResponse[] = []
    for (const [index, client_id] of ['ops', 'nobody'].entries()) {
      for (let number = 1; number <= 10; number++) {
        expect((await guess(`2001:db8:${index}::${number}`, client_id, 'wrong')).status).toBe(401)
      }
      // Addresses of one /64 network count together.
      refusals.push(await guess(`2001:db8:${index}::ffff`, client_id, 'wrong'))
    }
    const [known, unknown] = refusals
    expect([known?.status, known?.body.error]).toEqual([429, 'temporarily_unavailable'])
    expect(known?.body.error_description).toMatch(/^too many failed attempts \(limit: 10 per minute\); retry in \d+ s$/)
    const shapeOf = (answer?: ApiResponse) => [
      answer?.status,
      Object.keys(answer?.headers ?? {}).sort(),
      JSON.stringify(answer?.body).replace(/\d+ s/, '')
    ]
    expect(shapeOf(unknown)).toEqual(shapeOf(known))
    expect(known?.headers['retry-later']).toBeDefined()
    expect((await guess('2001:db8:9::1', 'ops', 'a-configured-secret')).status).toBe(200)
  })

  it('from unknown browsers do not lock out a browser in which the person has signed in', async () => {
    const directory = await storeWith({})
    await addAccounts(directory, { people: [{ email: 'ada@example.com', password: 'the herons fly' }] })
    const server = await serve(directory)
    const signIn = async (browser: Browser, password: string) =>
      browser.submit(await authorize(browser, { prompt: 'login consent' }), 'login', {
        email: ' Ada@example.com',
        password
      })
    const known = openBrowser(server)
    expect((await signIn(known, 'the herons fly')).status).toBe(200)
    expect(known.cookies()).toContain('burgee-device')
    for (let stranger = 0; stranger < 10; stranger++) {
      const browser = openBrowser(server)
      for (let round = 0; round < 10; round++) expect((await signIn(browser, 'wrong')).status).toBe(422)
    }
    expect((await signIn(openBrowser(server), 'the herons fly')).status).toBe(429)
    // A cookie that was made up counts as none.
    const forger = openBrowser(server)
    forger.setCookie('burgee-device=eyJhbGciOiJkaXIifQ; path=/')
    expect((await signIn(forger, 'the herons fly')).status).toBe(429)
    expect((await signIn(known, 'the herons fly')).status).toBe(200)
    for (let round = 0; round < 10; round++) expect((await signIn(known, 'wrong')).status).toBe(422)
    expect((await signIn(known, 'the herons fly')).status).toBe(429)
  })
})

describe('hashes of an earlier version', () => {
  const SECRET = 'a secret of a person'
  const outdated = () => {
    const digest = createHash('sha256').update(SECRET).digest()
    const hash = scryptSync(digest, Buffer.alloc(16, 7), 32, { N: 2 ** 14, r: 8, p: 1 })
    return `scrypt$14$8$1$${Buffer.alloc(16, 7).toString('base64url')}$${hash.toString('base64url')}`
  }

  it('are replaced at the next sign-in, and verify the same secret', async () => {
    const directory = await storeWith({})
    await addAccounts(directory, {
      people: [{ email: 'ada@example.com', passwordVerifier: outdated() }],
      clients: [{ clientId: 'robot', secretVerifier: outdated() }]
    })
    const verifiers = async () => {
      const store = await openStore(toStoreUrl(directory))
      const user = await store.collection('users').get({ email: 'ada@example.com' })
      const client = await store.collection('clients').get({ clientId: 'robot' })
      await store.close()
      return [user?.passwordVerifier, client?.secretVerifier]
    }
    const signInBoth = async () => {
      const server = await serve(directory)
      const browser = openBrowser(server)
      const fields = { email: 'ada@example.com', password: SECRET }
      const page = await browser.submit(await authorize(browser), 'login', fields)
      const { status } = await ask(server, { client_id: 'robot', client_secret: SECRET })
      await server.close()
      return [page.status, status]
    }
    expect(await signInBoth()).toEqual([200, 200])
    const replaced = await verifiers()
    for (const verifier of replaced) expect(verifier).toMatch(/^scrypt\$4\$8\$1\$/)
    expect(await signInBoth()).toEqual([200, 200])
    expect(await verifiers()).toEqual(replaced)
  })
})

describe('a mistyped or truncated secret', () => {
  it('of a client is refused by its checksum, and not counted', async () => {
    const server = await serve({})
    const { body } = await call(server, 'createApiClient', { body: { name: 'CI', clientId: 'ci' } })
    const { clientSecret } = body
    const last = clientSecret.endsWith('0') ? '1' : '0'
    for (const damaged of [clientSecret.slice(0, -1), `${clientSecret.slice(0, -1)}${last}`]) {
      for (const client_id of ['ci', 'nobody']) {
        const answer = await ask(server, { client_id, client_secret: damaged })
        expect([answer.status, answer.body]).toEqual([
          401,
          {
            error: 'invalid_client',
            error_description: 'the client secret was mistyped or truncated: its checksum does not match'
          }
        ])
      }
      const authorization = `Basic ${Buffer.from(`ci:${damaged}`).toString('base64')}`
      const headers = { 'content-type': 'application/x-www-form-urlencoded', authorization }
      const body = 'grant_type=client_credentials'
      for (let count = 0; count < 12; count++) {
        expect((await send(server, { method: 'POST', path: '/oauth/token', headers, body })).status).toBe(401)
      }
    }
    expect((await ask(server, { client_id: 'ci', client_secret: 'wrong' })).status).toBe(401)
    expect((await ask(server, { client_id: 'ci', client_secret: clientSecret })).status).toBe(200)
  })

  it('SDK key is refused by its checksum, and keys of earlier versions stay valid', async () => {
    const server = await serve({ features: [{ key: 'checkout' }] })
    const params = { project: (await call(server, 'listProjects')).body[0].key, environment: 'production' }
    const made = await call(server, 'generateSdkKeys', { params, body: { server: true } })
    const key: string = made.body.sdkKeys.server.at(-1).key
    const evaluate = (key: string) => call(server, 'evaluateVariables', { body: { user_id: 'ada' }, key })
    expect((await evaluate(key)).status).toBe(200)
    expect((await evaluate(keyOf('server'))).status).toBe(200)
    const { status, body } = await evaluate(key.slice(0, -2))
    expect([status, body.message]).toEqual([
      401,
      'the SDK key was mistyped or truncated: its checksum does not match; copy it again from the SDK keys of the environment'
    ])
    const config = await send(server, { path: `/config/v2/server/bootstrap/${key.slice(0, -2)}.json` })
    expect(config.status).toBe(403)
  })
})
