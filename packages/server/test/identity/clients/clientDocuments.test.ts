import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { addAccounts, authorize, exchangeCode, openBrowser, REDIRECT_URI, textOf } from '@burgee/testing/browser'
import { type ApiResponse, call, send, serve, storeWith, type TestServer } from '@burgee/testing/harness'
import { NOW } from '@burgee/testing/plan'
import { decodeJwt } from 'jose'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { isClientDocumentUrl } from '../../../src/identity/registration/isClientDocumentUrl.ts'
import { parseAllowedDestinations } from '../../../src/lib/outbound/allowedDestination.ts'

const PASSWORD = 'a quiet morning on the lake'
const allowed = { clientIdDocuments: true, allowedPrivateTargets: parseAllowedDestinations('127.0.0.1') ?? [] }

let host: Server
let origin: string
let asked: IncomingMessage[]
let answer: (request: IncomingMessage, response: ServerResponse) => void
let server: TestServer

beforeAll(async () => {
  host = createServer((request, response) => {
    asked.push(request)
    answer(request, response)
  })
  await new Promise<void>((resolve) => host.listen(0, '127.0.0.1', resolve))
  origin = `http://127.0.0.1:${(host.address() as AddressInfo).port}`
  server = await serve(await accounts(), allowed)
})

afterAll(() => {
  host.closeAllConnections()
  host.close()
})

beforeEach(() => {
  asked = []
})

async function accounts(): Promise<string> {
  const directory = await storeWith({})
  await addAccounts(directory, { people: [{ email: 'ada@example.com', name: 'Ada', password: PASSWORD }] })
  return directory
}

let count = 0

/** Serves a document at its own URL on the host; returns the URL. */
function publish(members: object = {}): string {
  const clientId = `${origin}/clients/${++count}.json`
  write(clientId, members)
  return clientId
}

function write(clientId: string, members: object = {}): void {
  const whole = {
    client_id: clientId,
    client_name: 'Some Host',
    redirect_uris: [REDIRECT_URI],
    token_endpoint_auth_method: 'none',
    grant_types: ['authorization_code', 'refresh_token', 'urn:ietf:params:oauth:grant-type:device_code'],
    response_types: ['code'],
    client_uri: 'https://host.example.com',
    ...members
  }
  answer = (_, response) => response.end(JSON.stringify(whole))
}

async function consentOf(client_id: string, at = server) {
  const browser = openBrowser(at)
  const page = await authorize(browser, { client_id })
  expect([page.status, textOf(String(page.body))]).toEqual([200, expect.stringContaining('Sign in')])
  return { browser, consent: await browser.submit(page, 'login', { email: 'ada@example.com', password: PASSWORD }) }
}

async function tokenFor(client_id: string, at = server): Promise<string> {
  const { browser, consent } = await consentOf(client_id, at)
  const { body } = await exchangeCode(at, await browser.submit(consent, 'consent'), client_id)
  return body.access_token
}

/** Requests sign-in for a client; returns the page. */
function begin(client_id: string, at = server, localAddress = `127.0.3.${(++count % 250) + 1}`): Promise<ApiResponse> {
  const query = new URLSearchParams({ client_id, response_type: 'code', redirect_uri: REDIRECT_URI })
  return send(at, { path: `/oauth/authorize?${query}`, localAddress })
}

async function clientOf(clientId: string, at = server) {
  const { body } = await call(at, 'listApiClients', { query: { perPage: 1000 } })
  return body.find((client: { clientId: string }) => client.clientId === clientId)
}

describe('a client with a metadata document', () => {
  it('can request sign-in, and is listed afterwards', async () => {
    const clientId = publish()
    const key = await tokenFor(clientId)
    expect(decodeJwt(key)).toMatchObject({ azp: clientId, client_id: clientId })
    expect(asked.map(({ method, url, headers }) => [method, url, headers.accept])).toEqual([
      ['GET', new URL(clientId).pathname, 'application/json']
    ])
    expect(await clientOf(clientId)).toMatchObject({
      name: 'Some Host',
      isPublic: true,
      isAssistant: true,
      isDynamic: true,
      roles: [],
      redirectUris: [REDIRECT_URI]
    })
    expect((await call(server, 'getApiClient', { params: { client: clientId } })).body).toMatchObject({ clientId })
    await call(server, 'createProject', { key, body: { key: `by-${count}`, name: 'By a host' } })
    const { body: entries } = await call(server, 'listAuditEntries', { query: { perPage: 2 } })
    expect(entries[0]).toMatchObject({ actor: 'assistant', clientId })
    expect(entries[1]).toMatchObject({ actor: 'server', changes: [{ type: 'createdApiClient' }] })
  })

  it('is shown with the host of its document', async () => {
    const { consent } = await consentOf(publish())
    const place = `This application describes itself at ${new URL(origin).host}.`
    expect(textOf(String(consent.body))).toContain(place)
  })

  it('is read again after five minutes', async () => {
    const at = await serve(await accounts(), allowed)
    const clientId = publish()
    await tokenFor(clientId, at)
    write(clientId, { client_name: 'Another Name', redirect_uris: ['https://other.example.com/callback'] })
    at.clock.now = () => NOW + 299_999
    expect((await begin(clientId, at)).status).toBe(303)
    expect(asked).toHaveLength(1)
    at.clock.now = () => NOW + 300_000
    expect((await begin(clientId, at)).body).toMatchObject({ error: 'invalid_redirect_uri' })
    expect(await clientOf(clientId, at)).toMatchObject({ name: 'Another Name' })
    answer = (_, response) => response.writeHead(404).end()
    at.clock.now = () => NOW + 600_000
    expect((await begin(clientId, at)).status).toBe(400)
  })

  it('can be deleted', async () => {
    const clientId = publish()
    const key = await tokenFor(clientId)
    const { _id } = await clientOf(clientId)
    await call(server, 'deleteApiClient', { params: { client: _id } })
    expect((await call(server, 'listOrganizations', { key })).status).toBe(401)
  })

  it('is fetched once for concurrent requests', async () => {
    const clientId = publish()
    const answers = await Promise.all(Array.from({ length: 5 }, () => begin(clientId)))
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([303]))
    expect(asked).toHaveLength(1)
  })

  const unfit: [string, object, RegExp][] = [
    ['another id', { client_id: 'https://host.example.com/client.json' }, /client_id should be the address/],
    ['no id', { client_id: undefined }, /client_id/],
    ['a secret', { client_secret: 'x' }, /client_secret/],
    ['a way to show a secret', { token_endpoint_auth_method: 'client_secret_post' }, /token_endpoint_auth_method/],
    ['no address to go back to', { redirect_uris: [] }, /redirect_uris/],
    ['an address on another computer', { redirect_uris: ['http://app.example.com/'] }, /should be https/],
    ['a scheme of its own', { redirect_uris: ['com.example.app:/callback'] }, /redirect_uris should be https/],
    ['no sign-in among its grants', { grant_types: ['client_credentials'] }, /grant_types/],
    [
      'a name that is too long',
      { client_name: 'x'.repeat(101) },
      /is invalid: client_name should have at most 100 characters, got /
    ],
    ['more than 5 KiB', { notes: 'x'.repeat(5 * 1024) }, /at most 5120 bytes/]
  ]
  it.each(unfit)('is refused with %s', async (_, members, reason) => {
    const clientId = publish(members)
    const { status, body } = await begin(clientId)
    expect([status, JSON.stringify(body)]).toEqual([400, expect.stringMatching(reason)])
    expect(await clientOf(clientId)).toBeUndefined()
  })

  const unread: [string, (request: IncomingMessage, response: ServerResponse) => void][] = [
    ['a document that is not there', (_, response) => response.writeHead(404).end('{}')],
    ['one that is elsewhere', (_, response) => response.writeHead(302, { location: `${origin}/other` }).end()],
    ['one behind a connection that breaks', (request) => request.socket.destroy()]
  ]
  it.each(unread)('is refused with %s, without details in the response', async (_, broken) => {
    const clientId = publish()
    answer = broken
    const { status, body } = await begin(clientId)
    expect([status, JSON.stringify(body)]).toEqual([400, expect.stringMatching(/could not be read/)])
    expect(asked).toHaveLength(1)
    const person = await authorize(openBrowser(server), { client_id: clientId })
    expect([person.status, person.headers['content-type']]).toEqual([400, 'text/html; charset=utf-8'])
  })

  it('is limited to ten new ones in a minute for each address', async () => {
    const answers: ApiResponse[] = []
    for (let number = 0; number < 11; number++) answers.push(await begin(publish(), server, '127.0.4.1'))
    expect(answers.map(({ status }) => status)).toEqual([...Array(10).fill(303), 429])
    expect(asked).toHaveLength(10)
  })

  it('is not fetched from private addresses, unless they are allowed', async () => {
    const at = await serve(await accounts(), { clientIdDocuments: true })
    const { status, body } = await begin(publish(), at)
    expect([status, JSON.stringify(body)]).toEqual([400, expect.stringMatching(/could not be read/)])
    expect(JSON.stringify(body)).not.toMatch(/public|PRIVATE/)
    expect(asked).toHaveLength(0)
  })

  it('is supported only if the setting allows it, and so is its metadata member', async () => {
    const at = await serve(await accounts(), { ...allowed, clientIdDocuments: false })
    expect((await begin(publish(), at)).body).toMatchObject({ error: 'invalid_client' })
    expect(asked).toHaveLength(0)
    const isSupportedBy = async (one: TestServer) => {
      const { body } = await send(one, { path: '/.well-known/oauth-authorization-server' })
      return body.client_id_metadata_document_supported
    }
    expect([await isSupportedBy(server), await isSupportedBy(at)]).toEqual([true, undefined])
  })
})

describe('the URL of a document', () => {
  it.each([
    ['https://host.example.com/client.json', true],
    ['https://host.example.com:8443/a/b?v=1', true],
    ['http://localhost:3000/client.json', true],
    ['http://host.example.com/client.json', false],
    ['https://host.example.com', false],
    ['https://host.example.com/', false],
    ['https://host.example.com/a/../client.json', false],
    ['https://host.example.com/%2e%2e/client.json', false],
    ['https://HOST.example.com/client.json', false],
    ['https://host.example.com:443/client.json', false],
    ['https://ada@host.example.com/client.json', false],
    ['https://host.example.com/client.json#', false],
    ['https://host.example.com/a\\b', false],
    [' https://host.example.com/client.json', false],
    [`https://host.example.com/${'x'.repeat(500)}`, false],
    ['com.example.app:/client.json', false],
    ['burgee-admin', false]
  ])('%s: %s', (clientId, is) => expect(isClientDocumentUrl(clientId)).toBe(is))
})
