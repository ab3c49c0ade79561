import { readdir, readFile, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type ApiResponse, call, send, serve, storeOnDisk, type TestServer, tokenOf } from '@burgee/testing/harness'
import { allUsers, idOf, keyOf, NOW, type Plan } from '@burgee/testing/plan'
import { storedText } from '@burgee/testing/storedData'
import { describe, expect, it, test, vi } from 'vitest'
import { entriesOf } from '../support/events/storedEvents.ts'

const DAY = 86_400_000
const USER = 'user-8d1f4c-"ü"@example.com'
const OTHER = 'other-user-771'
const beta = idOf('beta')

const plan: Plan = {
  settings: { edgeDB: { enabled: true }, optIn: { enabled: true, title: 'Try it' } },
  environments: { production: {}, staging: {} },
  features: [
    { key: 'plain', targets: [{ filters: [allUsers] }] },
    { key: 'beta', isOptIn: true, targets: [{ filters: [{ type: 'optIn' }] }] }
  ]
}

/** Makes a server store everything it can about a user. */
async function fill(server: TestServer, user_id: string, environment = 'production'): Promise<void> {
  const key = keyOf('server', environment)
  const client = keyOf('client', environment)
  const statuses: number[] = []
  const add = async (answer: Promise<ApiResponse>) => void statuses.push((await answer).status)
  const edge = { params: { user_id }, body: { user_id, email: `${user_id}.test`, customData: { plan: 'pro' } } }
  await add(call(server, 'updateEdgeUser', { ...edge, key }))
  await add(call(server, 'updateEdgeUser', { params: { user_id }, body: { user_id, country: 'CA' }, key: client }))
  await add(call(server, 'updateOptIns', { params: { user_id }, body: { [beta]: true }, key: client }))
  await add(call(server, 'evaluateVariable', { params: { key: 'plain' }, body: { user_id }, key }))
  const events = [{ type: 'customEvent', customType: 'purchase', value: 7, metaData: { buyer: user_id } }]
  const headers = { 'idempotency-key': `payload-of-${encodeURIComponent(user_id)}` }
  await add(call(server, 'track', { body: { user: { user_id, customData: { plan: 'pro' } }, events }, key, headers }))
  expect(statuses.map((status) => status < 300)).toEqual(statuses.map(() => true))
}

async function override(server: TestServer, svcUserId: string): Promise<void> {
  const params = { project: 'shop' }
  await call(server, 'updateUserProfile', { params, body: { svcUserId } })
  const body = { environment: 'production', variation: 'on' }
  const variations = await call(server, 'listVariations', { params: { project: 'shop', feature: 'plain' } })
  const given = { ...body, variation: variations.body[0]._id }
  const { status } = await call(server, 'updateFeatureOverride', {
    params: { ...params, feature: 'plain' },
    body: given
  })
  expect(status).toBe(200)
}

/** The files of a server that contain a text, in JSON or plain. */
async function filesWith(directory: string, text: string): Promise<string[]> {
  if (directory.startsWith('postgres:')) {
    const stored = await storedText(directory)
    return stored.includes(text) || stored.includes(JSON.stringify(text).slice(1, -1)) ? ['a table'] : []
  }
  // A file can be replaced while it is read.
  return vi.waitFor(async () => {
    const names = await readdir(directory, { recursive: true })
    const found: string[] = []
    for (const name of names) {
      const path = join(directory, name)
      if (!(await stat(path)).isFile()) continue
      const content = await readFile(path, 'utf8')
      if (content.includes(text) || content.includes(JSON.stringify(text).slice(1, -1))) found.push(name)
    }
    return found.sort()
  }, 20_000)
}

function exported(server: TestServer, user_id = USER): Promise<Record<string, unknown>[]> {
  return call(server, 'exportUserData', { params: { project: 'shop', user_id } }).then(({ status, body }) => {
    expect(status).toBe(200)
    return typeof body === 'string'
      ? body
          .split('\n')
          .filter(Boolean)
          .map((line) => JSON.parse(line))
      : [body]
  })
}

async function usersOf(server: TestServer): Promise<unknown> {
  const dates = { startDate: new Date(NOW - DAY).toISOString(), endDate: new Date(NOW + DAY).toISOString() }
  const { body } = await call(server, 'getProjectEvaluations', { params: { project: 'shop' }, query: dates })
  return body
}

const erasures = {
  'a server key': (server: TestServer, user_id: string) => call(server, 'deleteEdgeUser', { params: { user_id } }),
  'the management API': (server: TestServer, user_id: string) =>
    call(server, 'eraseUserData', { params: { project: 'shop', user_id } })
}

describe.each(Object.entries(erasures))('an erasure with %s', (_, erase) => {
  it('leaves the id in no file, and keeps counts and other users', async () => {
    const server = await serve(await storeOnDisk(plan))
    await fill(server, USER)
    await fill(server, OTHER)
    await override(server, USER)
    const counts = await usersOf(server)
    expect(await filesWith(server.directory, USER)).toEqual([
      expect.stringMatching(/^commits-\d+\.jsonl$/),
      expect.stringMatching(/^events\/[\d-]+\.jsonl$/),
      'users.jsonl'
    ])
    const entries = await entriesOf(server)

    const { status, body } = await erase(server, USER)
    expect(status).toBe(200)
    expect(body).toMatchObject({ edgeData: 1, optIns: 1, overrides: 1 })
    expect(body.events).toBeGreaterThanOrEqual(2)
    expect(await filesWith(server.directory, USER)).toEqual([])
    expect(await filesWith(server.directory, encodeURIComponent(USER))).toEqual([])
    expect(await exported(server)).toEqual([{ type: 'user', user_id: USER, userHash: body.userHash }])

    expect(await usersOf(server)).toEqual(counts)
    const after = await entriesOf(server)
    expect(after.map(({ counts }) => counts)).toEqual(entries.map(({ counts }) => counts))
    expect(after.map(({ exposures }) => exposures?.length)).toEqual(entries.map(({ exposures }) => exposures?.length))
    expect(await exported(server, OTHER)).toHaveLength(6)

    // New events are appended to the rewritten file, even after a restart.
    await fill(server, OTHER, 'staging')
    await server.close()
    expect(await filesWith(server.directory, USER)).toEqual([])
    const again = await serve(server.directory)
    expect((await exported(again, OTHER)).length).toBeGreaterThan(6)
    expect(again.logs.filter((line) => /damaged|quarantine|covers more/.test(line))).toEqual([])
  })

  it('is audited with a keyed hash', async () => {
    const server = await serve(plan)
    await fill(server, USER)
    const { body } = await erase(server, USER)
    expect(body.userHash).toMatch(/^hmac-sha256:[0-9a-f]{64}$/)
    const { body: audit } = await call(server, 'listAuditEntries', {})
    const [entry] = audit
    expect(entry.address).toBe('127.0.0.1')
    expect(entry.changes[0]).toMatchObject({ type: 'deletedUserData', previousContents: { userHash: body.userHash } })
    expect(JSON.stringify(audit)).not.toContain('8d1f4c')
    expect((await erase(server, USER)).body.userHash).toBe(body.userHash)
    expect((await erase(server, OTHER)).body.userHash).not.toBe(body.userHash)
    expect((await call(server, 'verifyAudit', {})).body.isIntact).toBe(true)
    expect(JSON.stringify(audit)).not.toContain('userHashKey')
  })

  it('of an unknown user changes nothing, and looks the same', async () => {
    const server = await serve(plan)
    await fill(server, OTHER)
    const { status, body } = await erase(server, 'unknown')
    expect(status).toBe(200)
    expect(body).toMatchObject({ edgeData: 0, optIns: 0, overrides: 0, events: 0 })
    expect(await exported(server, OTHER)).toHaveLength(6)
  })
})

test('an export has everything that is stored about a user', async () => {
  const server = await serve(plan)
  await fill(server, USER)
  await override(server, USER)
  const records = await exported(server)
  expect(records.map(({ type, writtenBy }) => [type, writtenBy].filter(Boolean).join(' ')).sort()).toEqual(
    ['user', 'edgeData server', 'edgeData client', 'optIns client', 'override', 'profile', 'exposure', 'event'].sort()
  )
  expect(records).toContainEqual(
    expect.objectContaining({ type: 'edgeData', writtenBy: 'client', data: expect.objectContaining({ country: 'CA' }) })
  )
})

test('an erasure removes the id from other members of the events of the user', async () => {
  const server = await serve(plan)
  const key = keyOf('server')
  const user = { user_id: USER, platform: `on ${USER}`, sdkVersion: USER, sdkType: 'api' }
  const events = [
    { type: 'customEvent', customType: `bought by ${USER}!`, value: 7 },
    { type: USER, target: USER },
    { type: 'variableDefaulted', target: 'missing' }
  ]
  const headers = { 'idempotency-key': `payload-of-${encodeURIComponent(USER)}` }
  expect((await call(server, 'sendEvents', { body: { user, events }, key, headers })).status).toBe(201)
  await fill(server, OTHER)
  const counts = await usersOf(server)
  expect((await call(server, 'eraseUserData', { params: { project: 'shop', user_id: USER } })).status).toBe(200)
  expect(await filesWith(server.directory, USER)).toEqual([])
  expect(await usersOf(server)).toEqual(counts)
  const stored = (await entriesOf(server)).flatMap(({ reports = [] }) => reports).flatMap((report) => report.events)
  expect(stored).toContainEqual(
    expect.objectContaining({ customType: expect.stringMatching(/^bought by ~.+!$/), value: 7 })
  )
  await server.close()
  // The summary is written when the server stops.
  expect(await filesWith(server.directory, USER)).toEqual([])
})

test('an erasure removes the id from summaries that are written', async () => {
  const server = await serve(await storeOnDisk(plan))
  const events = [{ type: 'variableDefaulted', target: 'missing' }]
  const user = { user_id: OTHER, platform: USER }
  expect((await call(server, 'sendEvents', { body: { user, events }, key: keyOf('server') })).status).toBe(201)
  await server.close()
  const again = await serve(server.directory, {}, NOW + 2 * DAY)
  expect(await filesWith(server.directory, USER)).toContainEqual(expect.stringMatching(/summary\.json$/))
  const counts = await usersOf(again)
  expect((await call(again, 'eraseUserData', { params: { project: 'shop', user_id: USER } })).status).toBe(200)
  expect(await filesWith(server.directory, USER)).toEqual([])
  expect(await usersOf(again)).toEqual(counts)
})

test('short ids are removed from other members only as whole words', async () => {
  const server = await serve(plan)
  const events = ['purchase', 'p', 'sent to p.'].map((customType) => ({ type: 'customEvent', customType }))
  const headers = { 'idempotency-key': 'x' }
  await call(server, 'track', { body: { user: { user_id: 'p', platform: 'php' }, events }, headers })
  expect((await call(server, 'eraseUserData', { params: { project: 'shop', user_id: 'p' } })).body.events).toBe(3)
  const [entry] = await entriesOf(server)
  expect(entry?.reports?.[0]?.events.map(({ customType }) => customType)).toEqual(['purchase', '~', 'sent to ~.'])
  expect(entry?.reports?.[0]?.user).toMatchObject({ user_id: '~', platform: 'php' })
})

describe('values of other users', () => {
  it('that are the id are replaced by an erasure, and no others', async () => {
    const server = await serve(plan)
    const key = keyOf('server')
    const customData = { manager: USER, note: `reports to ${USER}-2`, plan: 'pro' }
    for (const user_id of [OTHER, 'client-written']) {
      const given = {
        params: { user_id },
        body: { user_id, customData },
        key: keyOf(user_id === OTHER ? 'server' : 'client')
      }
      expect((await call(server, 'updateEdgeUser', given)).status).toBe(200)
    }
    const events = [
      { type: 'customEvent', customType: 'invite', target: USER, metaData: { invited: USER, [USER]: 1, plan: 'pro' } }
    ]
    await call(server, 'track', { body: { user: { user_id: OTHER, customData: { friend: USER } }, events }, key })
    const { body } = await call(server, 'eraseUserData', { params: { project: 'shop', user_id: USER } })
    expect(body).toMatchObject({ edgeData: 0, otherUsers: 2, events: 1 })
    expect(await filesWith(server.directory, JSON.stringify(USER))).toEqual([])
    const kept = await exported(server, OTHER)
    expect(kept).toContainEqual(
      expect.objectContaining({
        type: 'edgeData',
        data: { customData: { manager: expect.stringMatching(/^~/), note: customData.note, plan: 'pro' } }
      })
    )
    const [event] = kept.filter(({ type }) => type === 'event') as unknown as {
      data: { event: { metaData: object } }
    }[]
    expect(Object.values(event?.data.event.metaData ?? {})).toEqual([expect.stringMatching(/^~/), 1, 'pro'])
    await server.close()
    const again = await serve(server.directory)
    expect(again.logs.filter((line) => JSON.parse(line).level >= 40)).toEqual([])
    expect(await exported(again, OTHER)).toEqual(kept)
  })

  it('that more than 100 of them have are kept', async () => {
    const ids = Array.from({ length: 101 }, (_, index) => `member-${index}`)
    const server = await serve({
      ...plan,
      edgeUsers: Object.fromEntries(ids.map((id) => [id, { customData: { plan: 'premium' } }]))
    })
    const params = { project: 'shop', user_id: 'premium' }
    expect((await call(server, 'eraseUserData', { params })).body.otherUsers).toBe(0)
    await call(server, 'updateEdgeUser', {
      params: { user_id: 'member-0' },
      body: { user_id: 'member-0', customData: {} }
    })
    await call(server, 'deleteEdgeUser', { params: { user_id: 'member-1' } })
    expect((await call(server, 'eraseUserData', { params })).body.otherUsers).toBe(100)
  })
})

describe('an erasure with a server key', () => {
  test.each(['client', 'mobile'] as const)('is refused with a %s key', async (type) => {
    const server = await serve(plan)
    await fill(server, USER)
    const answer = await call(server, 'deleteEdgeUser', { params: { user_id: USER }, key: keyOf(type) })
    expect(answer.status).toBe(403)
    expect(await exported(server)).not.toHaveLength(1)
  })

  it('keeps opt-ins and events of other environments', async () => {
    const server = await serve(plan)
    await fill(server, USER)
    await fill(server, USER, 'staging')
    await call(server, 'deleteEdgeUser', { params: { user_id: USER }, key: keyOf('server', 'staging') })
    const query = { project: 'shop', environment: 'staging' }
    const [entry] = (await call(server, 'listAuditEntries', { query })).body
    expect(entry.changes).toMatchObject([{ type: 'deletedUserData', _environments: [idOf('staging')] }])
    const kinds = (await exported(server)).map(({ type, environment }) => [type, environment])
    expect(kinds).toContainEqual(['optIns', idOf('production')])
    expect(kinds).not.toContainEqual(['optIns', idOf('staging')])
    expect(kinds).not.toContainEqual(['exposure', idOf('staging')])
    await call(server, 'eraseUserData', { params: { project: 'shop', user_id: USER } })
    expect(await filesWith(server.directory, USER)).toEqual([])
  })
})

describe('events of earlier days', () => {
  it('lose the id too, with a summary and without', async () => {
    const server = await serve(await storeOnDisk(plan))
    await fill(server, USER)
    server.clock.now = () => NOW + DAY
    await fill(server, USER)
    await fill(server, 'x')
    await server.close()
    const again = await serve(server.directory, {}, NOW + 2 * DAY)
    const files = (await readdir(join(server.directory, 'events'))).filter((name) => name.endsWith('.jsonl'))
    const sizes = () =>
      Promise.all(files.map(async (name) => (await stat(join(server.directory, 'events', name))).size))
    const before = await sizes()
    const { status } = await call(again, 'eraseUserData', { params: { project: 'shop', user_id: USER } })
    expect(status).toBe(200)
    expect(await filesWith(server.directory, USER)).toEqual([])
    // Offsets in summaries stay valid.
    expect(await sizes()).toEqual(before)
    expect((await call(again, 'eraseUserData', { params: { project: 'shop', user_id: 'x' } })).body.events).toBe(2)
    expect(await exported(again, 'x')).toHaveLength(1)
  })

  it('are erased by a repeated request if the first one was interrupted', async () => {
    const server = await serve(await storeOnDisk(plan))
    await fill(server, USER)
    await server.close()
    const folder = join(server.directory, 'events')
    const name = (await readdir(folder)).find((one) => one.endsWith('.jsonl')) ?? ''
    // A crash leaves a temporary file, which the next start removes.
    await writeFile(
      join(folder, `${name}.00000000-0000-4000-8000-000000000000.tmp`),
      await readFile(join(folder, name))
    )
    const again = await serve(server.directory)
    expect((await call(again, 'deleteEdgeUser', { params: { user_id: USER } })).status).toBe(200)
    expect(await filesWith(server.directory, USER)).toEqual([])
  })

  test.each(['.summary.json', '.jsonl'])('stay valid if a crash left the %s file of before', async (ending) => {
    const server = await serve(await storeOnDisk(plan))
    await fill(server, USER)
    await fill(server, OTHER)
    const counts = await usersOf(server)
    await server.close()
    const folder = join(server.directory, 'events')
    const path = join(folder, (await readdir(folder)).find((name) => name.endsWith(ending)) ?? '')
    const before = await readFile(path)
    const second = await serve(server.directory)
    expect((await call(second, 'eraseUserData', { params: { project: 'shop', user_id: USER } })).status).toBe(200)
    await second.close()
    expect(await readFile(path)).not.toEqual(before)
    await writeFile(path, before)
    const third = await serve(server.directory)
    expect(third.logs.filter((line) => JSON.parse(line).level >= 40)).toEqual([])
    expect(await usersOf(third)).toEqual(counts)
    expect(await exported(third, OTHER)).toHaveLength(6)
    // A repeated erasure finishes the interrupted one.
    expect((await call(third, 'eraseUserData', { params: { project: 'shop', user_id: USER } })).status).toBe(200)
    await third.close()
    expect(await filesWith(server.directory, USER)).toEqual([])
    expect(await readFile(path)).not.toEqual(before)
    const fourth = await serve(server.directory)
    expect(await usersOf(fourth)).toEqual(counts)
  })

  it('can arrive during an erasure', async () => {
    const server = await serve(plan)
    await fill(server, USER)
    const writes = Array.from({ length: 40 }, () => {
      const events = [{ type: 'customEvent', customType: 'purchase' }]
      return call(server, 'track', { body: { user: { user_id: OTHER }, events } })
    })
    const erasing = call(server, 'deleteEdgeUser', { params: { user_id: USER } })
    const statuses = (await Promise.all([...writes, erasing])).map(({ status }) => status)
    expect(new Set(statuses)).toEqual(new Set([200, 201]))
    expect(await filesWith(server.directory, USER)).toEqual([])
    expect((await exported(server, OTHER)).filter(({ type }) => type === 'event')).toHaveLength(40)
  })
})

test('an erasure covers events of a deleted environment', async () => {
  const server = await serve(plan)
  await fill(server, USER, 'staging')
  const params = { project: 'shop', key: 'staging' }
  expect((await call(server, 'deleteEnvironment', { params })).status).toBe(200)
  expect((await exported(server)).map(({ type }) => type)).toContain('exposure')
  expect((await call(server, 'eraseUserData', { params: { project: 'shop', user_id: USER } })).status).toBe(200)
  expect(await filesWith(server.directory, USER)).toEqual([])
})

test('a server in memory erases users too', async () => {
  const server = await serve({}, { store: 'memory:' })
  const token = await tokenOf(server)
  const created = await call(server, 'createProject', { body: { key: 'app', name: 'App' } })
  expect(created.status).toBe(201)
  const environments = await call(server, 'listEnvironments', { params: { project: 'app' } })
  const key = environments.body[0].sdkKeys.server[0].key
  const events = [{ type: 'customEvent', customType: 'purchase' }]
  await call(server, 'track', { body: { user: { user_id: USER }, events }, key })
  const path = `/v1/projects/app/user-data/${encodeURIComponent(USER)}`
  const erased = await send(server, { method: 'DELETE', path, headers: { authorization: token } })
  expect([erased.status, erased.body.events]).toEqual([200, 1])
})
