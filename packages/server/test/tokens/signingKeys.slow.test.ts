import {
  type ApiResponse,
  call,
  options,
  send,
  serve,
  type TestServer,
  tokenOf,
  toStoreUrl
} from '@burgee/testing/harness'
import { NOW } from '@burgee/testing/plan'
import { storedAuditText, storedData } from '@burgee/testing/storedData'
import { decodeProtectedHeader } from 'jose'
import { describe, expect, it, vi } from 'vitest'
import { runInProcess } from '../support/processes/executable.ts'

const HOUR = 3_600_000
const DAY = 24 * HOUR

/** A new token of the administrator. */
async function ask(at: TestServer): Promise<string> {
  const { status, body } = await send(at, {
    method: 'POST',
    path: '/oauth/token',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({
      grant_type: 'client_credentials',
      client_id: options.adminClientId,
      client_secret: options.adminClientSecret
    })
  })
  expect(status).toBe(200)
  return body.access_token
}

function use(at: TestServer, token: string): Promise<ApiResponse> {
  return send(at, { path: '/v1/organizations', headers: { authorization: token } })
}

async function published(at: TestServer): Promise<readonly string[]> {
  const { body } = await send(at, { path: '/oauth/jwks' })
  return body.keys.map(({ kid }: { kid: string }) => kid)
}

function kidOf(token: string): string {
  return decodeProtectedHeader(token).kid ?? ''
}

describe('a new signing key', () => {
  it('signs at once, and the former one verifies as long as its tokens live', async () => {
    const server = await serve({})
    const before = await ask(server)
    const { status, body } = await call(server, 'rotateSigningKey')
    expect(status).toBe(201)
    const at = new Date(NOW).toISOString()
    expect(body).toEqual([
      { kid: expect.any(String), createdAt: at },
      { kid: kidOf(before), createdAt: at, retiredAt: at }
    ])
    const after = await ask(server)
    expect(kidOf(after)).toBe(body[0].kid)
    expect(await published(server)).toEqual([kidOf(after), kidOf(before)])
    for (const token of [before, after]) expect((await use(server, token)).status).toBe(200)

    server.clock.now = () => NOW + DAY - 1_000
    expect((await use(server, before)).status).toBe(200)
    server.clock.now = () => NOW + DAY + HOUR
    expect(await published(server)).toEqual([kidOf(after)])
    expect((await use(server, before)).status).toBe(401)
  })

  it('is refused while five previous keys verify, unless it ends them', async () => {
    const server = await serve({})
    for (let count = 0; count < 5; count++) expect((await call(server, 'rotateSigningKey')).status).toBe(201)
    const refused = await call(server, 'rotateSigningKey')
    expect([refused.status, refused.body.message]).toEqual([
      429,
      expect.stringMatching(/rotated 5 times.* end the previous keys at once with now=true/)
    ])
    expect(refused.headers['retry-after']).toMatch(/^\d+$/)
    expect(refused.headers['retry-later']).toEqual(expect.any(String))
    expect(await published(server)).toHaveLength(6)
    const now = await call(server, 'rotateSigningKey', { query: { now: 'true' } })
    expect([now.status, now.body.length]).toEqual([201, 1])
    expect((await call(server, 'rotateSigningKey', { key: await ask(server) })).status).toBe(201)
  })

  it('is recorded in the audit log, without its private key', async () => {
    const server = await serve({})
    const [{ kid }] = (await call(server, 'rotateSigningKey')).body
    const { body } = await call(server, 'listAuditEntries')
    expect(body[0]).toMatchObject({
      idp_user: `${options.adminClientId}@clients`,
      changes: [{ type: 'createdSigningKey', newContents: { kid }, previousContents: null }]
    })
    const data = await storedData(server.directory)
    const history = await storedAuditText(server.directory)
    for (const { privateJwk } of data.signingKeys) expect(history).not.toContain(privateJwk.d)
  })

  it('survives a restart, and so do the tokens of the former one', async () => {
    const publicUrl = 'https://flags.example.com'
    const first = await serve({}, { publicUrl })
    const before = await ask(first)
    await call(first, 'rotateSigningKey')
    const kids = await published(first)
    await first.close()
    const second = await serve(first.directory, { publicUrl })
    expect(await published(second)).toEqual(kids)
    expect((await use(second, before)).status).toBe(200)
    expect(kidOf(await ask(second))).toBe(kids[0])
  })

  it('is created by the command too, while the server is stopped', async () => {
    const publicUrl = 'https://flags.example.com'
    const first = await serve({}, { publicUrl })
    const before = await ask(first)
    await first.close()
    const run = (name: string) => runInProcess(['keys', name, '--store', toStoreUrl(first.directory)], {})
    const ended = [await run('rotate'), await run('list')]
    expect(ended.map(({ code, stderr }) => [code, stderr])).toEqual([
      [0, ''],
      [0, '']
    ])
    const lines = ended.flatMap(({ stdout }) => stdout.trimEnd().split('\n'))
    const second = await serve(first.directory, { publicUrl })
    const kids = await published(second)
    expect(kids).toEqual([expect.any(String), kidOf(before)])
    expect(lines).toEqual([
      `access tokens are now signed with ${kids[0]}`,
      expect.stringMatching(`^${kids[0]}  since \\S+$`),
      expect.stringMatching(`^${kids[1]}  since \\S+ until \\S+, verifies only$`)
    ])
    expect((await use(second, before)).status).toBe(200)
    const { body } = await call(second, 'listAuditEntries')
    expect(body[0]).toMatchObject({ actor: 'server', changes: [{ type: 'createdSigningKey' }] })
  })

  it('ends the former one at once with --now, and the command says what ends', async () => {
    const publicUrl = 'https://flags.example.com'
    const first = await serve({}, { publicUrl })
    const before = await ask(first)
    await first.close()
    const { code, stdout } = await runInProcess(['keys', 'rotate', '--now', '--store', toStoreUrl(first.directory)], {})
    const second = await serve(first.directory, { publicUrl })
    const [kid, ...others] = await published(second)
    expect([code, others]).toEqual([0, []])
    expect(stdout.split('\n')).toEqual([
      `access tokens are now signed with ${kid}`,
      `ended ${kidOf(before)}`,
      'all access tokens, event stream tokens and pending sign-ins have ended, and browsers must sign in again;',
      'refresh tokens stay valid, so applications get new access tokens by themselves',
      ''
    ])
    expect((await use(second, before)).status).toBe(401)
    expect((await use(second, await ask(second))).status).toBe(200)
    const { body } = await call(second, 'listAuditEntries')
    expect(body[0].changes).toMatchObject([
      { type: 'deletedSigningKey', previousContents: { kid: kidOf(before) }, newContents: null },
      { type: 'createdSigningKey', newContents: { kid } }
    ])
    expect(JSON.stringify(body)).not.toContain('privateJwk')
  })

  it('is created after 90 days, and expired ones are removed from the store', async () => {
    const first = await serve({})
    const [kid] = await published(first)
    await first.close()
    const second = await serve(first.directory, {}, NOW + 90 * DAY - 1)
    expect(await published(second)).toEqual([kid])
    await second.close()
    const third = await serve(first.directory, {}, NOW + 90 * DAY)
    expect(await published(third)).toEqual([expect.not.stringContaining(kid ?? ''), kid])
    await third.close()
    await (await serve(first.directory, {}, NOW + 92 * DAY)).close()
    const data = await storedData(first.directory)
    expect(data.signingKeys).toHaveLength(1)
    expect(data.signingKeys[0]?.kid).not.toBe(kid)
  })

  it('causes no request to fail', async () => {
    const server = await serve({})
    const tokens = [await tokenOf(server)]
    const answers: number[] = []
    let isOver = false
    const users = Array.from({ length: 4 }, async (_, number) => {
      while (!isOver) {
        const token = tokens[(answers.length + number) % tokens.length] ?? ''
        answers.push((await use(server, token)).status)
      }
    })
    const askers = Array.from({ length: 2 }, async () => {
      while (!isOver) tokens.push(await ask(server))
    })
    for (let count = 0; count < 3; count++) {
      await call(server, 'rotateSigningKey')
      const [used, issued] = [answers.length + 20, tokens.length + 2]
      await vi.waitUntil(() => answers.length >= used && tokens.length >= issued, { timeout: 60_000 })
    }
    isOver = true
    await Promise.all([...users, ...askers])
    expect(new Set(answers)).toEqual(new Set([200]))
    expect(answers.length).toBeGreaterThan(50)
    // Several keys were in use.
    expect(new Set(tokens.map(kidOf)).size).toBeGreaterThan(2)
    for (const token of tokens) expect((await use(server, token)).status).toBe(200)
  })
})
