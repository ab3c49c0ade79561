import { connect, type Socket } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import { addAccounts, authorize, openBrowser } from '@burgee/testing/browser'
import { type ApiResponse, call, options, send, serve, storeWith, type TestServer } from '@burgee/testing/harness'
import { idOf, NOW } from '@burgee/testing/plan'
import { afterEach, describe, expect, it } from 'vitest'
import { openStore } from '../../src/storage/open/openStore.ts'

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
    // An aborted request is no error of the server.
    for (const socket of sockets) socket.destroy()
    await pause(300)
    expect(server.logs.filter((line) => JSON.parse(line).level >= 50)).toEqual([])
    expect(server.logs.filter((line) => JSON.parse(line).status === 408)).toHaveLength(80)
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
    for (let waited = 0; waited < 30 && !isCut; waited++) {
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

  it('is discarded as the oldest of more than 2000', async () => {
    const directory = await storeWith({})
    await addAccounts(directory, {})
    const store = await openStore(`file:${directory}`)
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
  const store = await openStore(`file:${directory}`)
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

  it('are limited to 100 in a minute for each address, whatever the clients', async () => {
    const server = await serve({})
    const statuses: number[] = []
    for (let number = 0; number < 110; number++) {
      statuses.push((await ask(server, { client_id: `nobody-${number}`, client_secret: 'wrong' })).status)
    }
    expect(statuses).toEqual([...Array(100).fill(401), ...Array(10).fill(429)])
    const other = await ask(server, { client_id: 'nobody', client_secret: 'wrong' }, '127.0.4.1')
    expect(other.status).toBe(401)
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
})
