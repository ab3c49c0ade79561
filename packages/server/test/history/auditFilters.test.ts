import { tokenFor } from '@burgee/testing/apiClients'
import { call, serve, storeWith, type TestServer } from '@burgee/testing/harness'
import { addMembers } from '@burgee/testing/members'
import { idOf } from '@burgee/testing/plan'
import { beforeAll, describe, expect, it, test } from 'vitest'

let server: TestServer
/** The token of a client that sees the project `shop` only. */
let shopViewer: string

beforeAll(async () => {
  const directory = await storeWith({ features: [{ key: 'checkout' }, { key: 'search' }] })
  await addMembers(directory, { mode: 'full', clients: { viewer: [{ role: 'viewer', _project: idOf('shop') }] } })
  server = await serve(directory)
  shopViewer = await tokenFor(server, 'viewer')
  const rename = (feature: string, name: string) =>
    call(server, 'updateFeature', { params: { project: 'shop', feature }, body: { name } })
  await rename('checkout', 'Pay by Card')
  await rename('search', 'Find things')
  await call(server, 'updateFeatureConfiguration', {
    params: { project: 'shop', feature: 'search' },
    query: { environment: 'production' },
    body: { status: 'inactive' }
  })
  await call(server, 'createProject', { body: { key: 'ledger', name: 'Secret ledger' } })
  const user = { email: 'grace@navy.example', name: 'Grace Hopper', roles: [] }
  expect((await call(server, 'createUser', { body: user })).status).toBe(201)
})

async function list(query: Record<string, string | number>, key?: string) {
  const { status, headers, body } = await call(server, 'listAuditEntries', { query, ...(key ? { key } : {}) })
  expect(status).toBe(200)
  return { count: Number(headers.count), entries: body, types: body.map(typesOf) }
}

function typesOf({ changes }: { changes: { type: string }[] }) {
  return changes.map(({ type }) => type).join()
}

/** The entry of a new project contains its environments. */
const createdProject = expect.stringMatching(/^createdProject,/)

describe('filters of the audit log', () => {
  it('finds entries by type', async () => {
    expect(await list({ type: 'createdProject' })).toMatchObject({ count: 1, types: [createdProject] })
    expect(await list({ type: 'modifiedFeature' })).toMatchObject({ count: 2 })
    expect(await list({ type: 'deletedFeature' })).toMatchObject({ count: 0, entries: [] })
  })

  it('finds entries by kind of actor', async () => {
    const { count } = await list({})
    expect(await list({ actor: 'client' })).toMatchObject({ count })
    expect(await list({ actor: 'person' })).toMatchObject({ count: 0 })
  })

  it('finds text in values, users and the names of features, in any case', async () => {
    expect(await list({ search: 'by card' })).toMatchObject({ count: 1, types: ['modifiedFeature'] })
    expect(await list({ search: 'LEDGER' })).toMatchObject({ count: 1, types: [createdProject] })
    // Turning a feature off does not mention the name of the feature.
    expect(await list({ search: 'find things', type: 'disabledEnvironment' })).toMatchObject({ count: 1 })
    expect((await list({ search: '@clients' })).count).toBe((await list({})).count)
    expect(await list({ search: '.*.*' })).toMatchObject({ count: 0 })
  })

  it('pages and sorts what it found', async () => {
    const pages = [1, 2, 3].map((page) => list({ type: 'modifiedFeature', perPage: 1, page, sortOrder: 'asc' }))
    const [one, two, three] = await Promise.all(pages)
    expect([one, two, three].map((page) => page?.count)).toEqual([2, 2, 2])
    expect(one?.entries[0].changes[0].newContents.name).toBe('Pay by Card')
    expect(two?.entries[0].changes[0].newContents.name).toBe('Find things')
    expect(three?.entries).toEqual([])
  })

  it('searches only what the caller sees', async () => {
    expect(await list({ search: 'ledger' }, shopViewer)).toMatchObject({ count: 0 })
    expect(await list({ search: 'by card' }, shopViewer)).toMatchObject({ count: 1 })
    expect(await list({ search: 'navy.example' })).toMatchObject({ count: 1, types: ['createdUser'] })
  })

  test.each([
    ['type', 'exploded', /type/],
    ['type', '', /type/],
    ['idp_user', '', /idp_user should not be empty/],
    ['actor', 'robot', /actor.*person/],
    ['search', 'ab', /search/],
    ['search', 'x'.repeat(201), /search/]
  ])('refuses %s "%s"', async (name, value, message) => {
    const { status, body } = await call(server, 'listAuditEntries', { query: { [name]: value } })
    expect(status).toBe(400)
    expect(String(body.message)).toMatch(message)
  })
})

describe('one audit entry', () => {
  const get = (entry: string, key?: string) =>
    call(server, 'getAuditEntry', { params: { entry }, ...(key ? { key } : {}) })

  it('equals the entry in the list', async () => {
    const [entry] = (await list({ type: 'disabledEnvironment' })).entries
    expect((await get(entry._id)).body).toEqual(entry)
    const { body } = await get(entry._id, shopViewer)
    expect(body).toMatchObject({ _id: entry._id, changes: entry.changes })
    expect(body).not.toHaveProperty('address')
  })

  it('is as unknown as a missing one if the caller cannot list it', async () => {
    const [hidden] = (await list({ type: 'createdProject' })).entries
    const refused = await get(hidden._id, shopViewer)
    const missing = await get(idOf('nowhere'), shopViewer)
    expect(refused.status).toBe(404)
    expect(refused.body.message).toBe(missing.body.message.replaceAll(idOf('nowhere'), hidden._id))
    expect((await get('verificatio')).status).toBe(404)
    expect((await get('x'.repeat(101))).status).toBe(400)
  })
})
