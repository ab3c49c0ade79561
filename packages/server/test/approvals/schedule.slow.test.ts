import { rename } from 'node:fs/promises'
import { addClients, tokenFor } from '@burgee/testing/apiClients'
import { changeSettings } from '@burgee/testing/approvals'
import {
  type ApiResponse,
  call,
  jobsToCheck,
  serve,
  storeOnDisk,
  storeWith,
  type TestServer,
  toStoreUrl
} from '@burgee/testing/harness'
import { claimsOf, signingKeyOf } from '@burgee/testing/personToken'
import { idOf, NOW, type Plan } from '@burgee/testing/plan'
import { SignJWT } from 'jose'
import { describe, expect, it, test, vi } from 'vitest'
import { openStore } from '../../src/storage/open/openStore.ts'
import type { Store } from '../../src/storage/store.ts'

const ofCheckout = { project: 'shop', feature: 'checkout' }
const writing = ['project:read', 'feature:read', 'feature:write'] as const
const publishing = [...writing, 'feature:publish'] as const
const HOUR = 3_600_000
const soon = new Date(NOW + HOUR).toISOString()

/** A server with approvals and a request of `limited` to rename the feature, approved by `reviewer`. */
async function begin(
  allowPublisherBypass = false,
  createStore: (plan: Plan) => Promise<string> = storeWith
): Promise<{ server: TestServer; id: string }> {
  const featureApprovalWorkflow = { enabled: true, allowPublisherBypass, defaultReviewers: [] }
  const directory = await createStore({ settings: { featureApprovalWorkflow }, features: [{ key: 'checkout' }] })
  await addClients(directory, { limited: writing, other: writing, reviewer: publishing, publisher: publishing })
  const server = await serve(directory)
  return { server, id: await approved(server) }
}

async function approved(server: TestServer, name = 'New name'): Promise<string> {
  const key = await tokenFor(server, 'limited')
  const body = { path: '/v2/projects/shop/features/checkout', method: 'PATCH', body: { name } }
  const { _id: id } = (await call(server, 'createChangeRequest', { params: ofCheckout, body, key })).body
  const params = { ...ofCheckout, id }
  await call(server, 'submitChangeRequest', { params, body: { description: 'Because.', reviewers: [] }, key })
  const review = { params, body: { action: 'approved', comment: '' }, key: await tokenFor(server, 'reviewer') }
  expect((await call(server, 'reviewChangeRequest', review)).status).toBe(200)
  return id
}

async function schedule(server: TestServer, id: string, applyAt: string | null, by = 'limited'): Promise<ApiResponse> {
  const key = await tokenFor(server, by)
  return call(server, 'scheduleChangeRequest', { params: { ...ofCheckout, id }, body: { applyAt }, key })
}

async function get(server: TestServer, id: string): Promise<ApiResponse['body']> {
  return (await call(server, 'getChangeRequest', { params: { ...ofCheckout, id } })).body
}

async function nameOf(server: TestServer): Promise<string> {
  return (await call(server, 'getFeature', { params: ofCheckout })).body.name
}

/** The number of renames of the feature. */
async function renamings(server: TestServer): Promise<number> {
  return (await call(server, 'getFeatureAudit', { params: ofCheckout })).body.length
}

/** Advances the clock past the scheduled time. */
function pass(server: TestServer): void {
  server.clock.now = () => NOW + HOUR
}

/** Resolves with the change request once it is no longer scheduled. */
async function settled(server: TestServer, id: string, timeout = 20_000): Promise<ApiResponse['body']> {
  const look = async () => {
    const request = await get(server, id)
    expect(request.applyAt).toBeUndefined()
    return request
  }
  return vi.waitFor(look, { timeout, interval: 20 })
}

/** Restarts on the same store after changing it. */
async function restarted(
  { directory, close }: TestServer,
  time: number,
  work: (store: Store) => Promise<unknown> = async () => {}
): Promise<TestServer> {
  await close()
  const store = await openStore(toStoreUrl(directory))
  await work(store)
  await store.close()
  return serve(directory, {}, time)
}

describe('a scheduled change request', () => {
  it('has its time, and waits', async () => {
    const { server, id } = await begin()
    const { status, body } = await schedule(server, id, '2026-03-01T15:00:00+02:00')
    expect([status, body.status, body.applyAt]).toEqual([200, 'approved', '2026-03-01T13:00:00.000Z'])
    expect(Object.keys(body).filter((member) => member.startsWith('_scheduled'))).toEqual([])
    expect(await get(server, id)).toEqual(body)
    await jobsToCheck(server)
    expect(await get(server, id)).toEqual(body)
    expect(await nameOf(server)).toBe('The checkout')
  })

  it('is applied once at its time, in the name of the caller who scheduled it', async () => {
    const { server, id } = await begin()
    await schedule(server, id, soon)
    pass(server)
    const request = await settled(server, id)
    expect(request).toMatchObject({ status: 'applied', description: 'Because.', _updatedBy: 'limited@clients' })
    expect(request).not.toHaveProperty('scheduleFailure')
    expect(await nameOf(server)).toBe('New name')
    await jobsToCheck(server)
    expect(await renamings(server)).toBe(1)
    const { body: entries } = await call(server, 'listAuditEntries', { query: { project: 'shop', perPage: 2 } })
    for (const entry of entries) {
      expect(entry).toMatchObject({ idp_user: 'limited@clients', actor: 'client', clientId: 'limited', source: 'api' })
      expect(entry.date).toBe(soon)
    }
  })

  it('is applied at the start when its time passed while the server was stopped', async () => {
    const { server: first, id } = await begin()
    await schedule(first, id, soon)
    const second = await restarted(first, NOW + 2 * HOUR)
    expect((await settled(second, id)).status).toBe('applied')
    const third = await restarted(second, NOW + 3 * HOUR)
    await jobsToCheck(third)
    expect(await renamings(third)).toBe(1)
    expect(await nameOf(third)).toBe('New name')
  })

  it('keeps waiting after a restart', async () => {
    const { server: first, id } = await begin()
    await schedule(first, id, soon)
    const server = await restarted(first, NOW)
    await jobsToCheck(server)
    expect((await get(server, id)).applyAt).toBe(soon)
    pass(server)
    expect((await settled(server, id)).status).toBe('applied')
  })

  it('can be applied or rescheduled before its time', async () => {
    const { server, id } = await begin()
    await schedule(server, id, soon)
    const later = new Date(NOW + 2 * HOUR).toISOString()
    expect((await schedule(server, id, later, 'publisher')).body.applyAt).toBe(later)
    pass(server)
    await jobsToCheck(server)
    expect((await get(server, id)).status).toBe('approved')
    const body = { action: 'applied', description: '' }
    expect((await call(server, 'applyChangeRequest', { params: { ...ofCheckout, id }, body })).status).toBe(200)
    expect(await get(server, id)).not.toHaveProperty('applyAt')
    server.clock.now = () => NOW + 3 * HOUR
    await jobsToCheck(server)
    expect(await renamings(server)).toBe(1)
  })

  it('is applied after other due ones', async () => {
    const { server, id } = await begin()
    await schedule(server, id, soon)
    const params = { project: 'shop', feature: 'search' }
    await call(server, 'createFeature', { params, body: { key: 'search', name: 'Search' } })
    const path = '/v2/projects/shop/features/search'
    const wanted = { path, method: 'PATCH', body: { name: 'Found' } }
    const { _id: other } = (await call(server, 'createChangeRequest', { params, body: wanted })).body
    const at = { params: { ...params, id: other } }
    await call(server, 'submitChangeRequest', { ...at, body: { description: '', reviewers: [] } })
    const key = await tokenFor(server, 'reviewer')
    await call(server, 'reviewChangeRequest', { ...at, body: { action: 'approved', comment: '' }, key })
    expect((await call(server, 'scheduleChangeRequest', { ...at, body: { applyAt: soon } })).status).toBe(200)
    pass(server)
    expect((await settled(server, id)).status).toBe('applied')
    await jobsToCheck(server)
    expect((await call(server, 'getFeature', { params })).body.name).toBe('Found')
    expect(await nameOf(server)).toBe('New name')
  })
})

describe('the scheduled time', () => {
  it.each([new Date(NOW).toISOString(), '2020-01-01T00:00:00Z'])('must be in the future, not %s', async (applyAt) => {
    const { server, id } = await begin()
    const { status, body } = await schedule(server, id, applyAt)
    expect([status, body.message]).toEqual([
      400,
      [`applyAt should be after 2026-03-01T12:00:00.000Z, which is now, got "${applyAt}"`]
    ])
  })

  it('must be a date-time', async () => {
    const { server, id } = await begin()
    for (const applyAt of ['tomorrow', 5, undefined]) {
      expect((await schedule(server, id, applyAt as never)).status).toBe(400)
    }
  })

  it('requires the permission to apply the change request', async () => {
    const { server, id } = await begin()
    const refused = await schedule(server, id, soon, 'other')
    expect([refused.status, refused.body.message]).toEqual([
      403,
      'only users with feature:publish and its creator may schedule a change request with status approved'
    ])
    expect((await schedule(server, id, soon, 'publisher')).status).toBe(200)
  })

  it('is refused for a change request that cannot be applied now', async () => {
    const { server, id } = await begin()
    expect((await call(server, 'killFeature', { params: ofCheckout })).status).toBe(200)
    const refused = await schedule(server, id, soon)
    expect([refused.status, refused.body.errorType]).toEqual([409, 'ERR_FEATURE_CHANGED'])
    expect(await get(server, id)).not.toHaveProperty('applyAt')
  })

  it.each<[string, (server: TestServer, id: string) => Promise<ApiResponse>]>([
    ['by null', (server, id) => schedule(server, id, null)],
    [
      'by an edit',
      async (server, id) => {
        const [params, key] = [{ ...ofCheckout, id }, await tokenFor(server, 'limited')]
        return call(server, 'updateChangeRequest', { params, body: { body: { name: 'Other' } }, key })
      }
    ],
    [
      'by a rebase',
      async (server, id) => {
        await call(server, 'killFeature', { params: ofCheckout })
        const [params, key] = [{ ...ofCheckout, id }, await tokenFor(server, 'limited')]
        return call(server, 'rebaseChangeRequest', { params, key })
      }
    ],
    ['by cancelling', (server, id) => call(server, 'cancelChangeRequest', { params: { ...ofCheckout, id } })]
  ])('is removed %s', async (_, act) => {
    const { server, id } = await begin()
    await schedule(server, id, soon)
    expect((await act(server, id)).status).toBe(200)
    const before = await get(server, id)
    expect(before).not.toHaveProperty('applyAt')
    pass(server)
    await jobsToCheck(server)
    expect(await get(server, id)).toEqual(before)
    expect(await nameOf(server)).toBe('The checkout')
  })
})

describe('an assistant that schedules for a user', () => {
  /** A request scheduled by a user who may publish, through an assistant; the server is at the scheduled time. */
  async function scheduled(work: (store: Store) => Promise<unknown> = async () => {}): Promise<[TestServer, string]> {
    const { server: first, id } = await begin()
    const server = await restarted(first, NOW, async (store) => {
      const at = new Date(NOW).toISOString()
      await store.collection('users').insert({
        _id: idOf('ada'),
        createdAt: at,
        updatedAt: at,
        userId: 'burgee|ada',
        name: 'Ada',
        email: 'ada@example.com',
        _organization: 'org_test',
        roles: [{ role: 'publisher' }],
        isDisabled: false,
        mustChangePassword: false
      })
      await store.collection('clients').update(idOf('other'), { isAssistant: true, permissions: publishing })
    })
    const { kid, ...key } = await signingKeyOf(server)
    const claims = { ...claimsOf(server, 'burgee|ada'), azp: 'other', client_id: 'other' }
    const token = await new SignJWT(claims).setProtectedHeader({ alg: 'RS256', typ: 'at+jwt', kid }).sign(key)
    const given = { params: { ...ofCheckout, id }, body: { applyAt: soon }, key: token }
    expect((await call(server, 'scheduleChangeRequest', given)).status).toBe(200)
    return [await restarted(server, NOW + HOUR, work), id]
  }

  it('is named in the audit log when the change request is applied', async () => {
    const [server, id] = await scheduled()
    expect((await settled(server, id)).status).toBe('applied')
    const [entry] = (await call(server, 'getFeatureAudit', { params: ofCheckout })).body
    expect(entry).toMatchObject({ idp_user: 'burgee|ada', actor: 'assistant', clientId: 'other' })
  })

  it.each<[string, (store: Store) => Promise<unknown>]>([
    ['the person is disabled', (store) => store.collection('users').update(idOf('ada'), { isDisabled: true })],
    ['the assistant is revoked', (store) => store.collection('clients').remove(idOf('other'))],
    [
      'the assistant may not any more',
      (store) => store.collection('clients').update(idOf('other'), { permissions: ['feature:read'] })
    ]
  ])('has no effect when %s', async (_, work) => {
    const [server, id] = await scheduled(work)
    const { status, scheduleFailure } = await settled(server, id)
    expect([status, scheduleFailure]).toEqual([
      'approved',
      'burgee|ada scheduled it and may no longer change features in project "shop"'
    ])
  })
})

it('a scheduled change request is retried when the store refuses writes', async () => {
  const { server, id } = await begin(false, storeOnDisk)
  await schedule(server, id, soon)
  const away = `${server.directory}-away`
  await rename(server.directory, away)
  pass(server)
  await jobsToCheck(server)
  expect(await get(server, id)).toMatchObject({ status: 'approved', applyAt: soon })
  const lines = () => server.logs.filter((line) => line.includes('could not be applied; retrying'))
  expect(lines()).toHaveLength(1)
  await rename(away, server.directory)
  expect((await settled(server, id, 10_000)).status).toBe('applied')
  expect(lines()).toHaveLength(1)
})

describe('a scheduled change request that cannot be applied', () => {
  test.each<[string, (store: Store) => Promise<unknown>, RegExp]>([
    [
      'its scheduler was deleted',
      (store) => store.collection('clients').remove(idOf('limited')),
      /^limited@clients scheduled it and may no longer change features in project "shop"$/
    ],
    [
      'its scheduler lost the permission to write',
      (store) => store.collection('clients').update(idOf('limited'), { permissions: ['feature:read'] }),
      /^limited@clients scheduled it and may no longer/
    ],
    [
      'its scheduler has expired',
      (store) => store.collection('clients').update(idOf('limited'), { expiresAt: soon }),
      /^limited@clients scheduled it and may no longer/
    ],
    [
      'its approver has expired',
      (store) => store.collection('clients').update(idOf('reviewer'), { expiresAt: soon }),
      /^change request \w+ needs a new approval: reviewer@clients approved it/
    ],
    [
      'its approver lost the permission',
      (store) => store.collection('clients').update(idOf('reviewer'), { permissions: writing }),
      /^change request \w+ needs a new approval: reviewer@clients approved it/
    ]
  ])('has the reason, and is not retried: %s', async (_, work, reason) => {
    const { server: first, id } = await begin()
    await schedule(first, id, soon)
    const server = await restarted(first, NOW + HOUR, work)
    await expectFailure(server, id, reason)
  })

  test('has the reason: the feature has changed', async () => {
    const { server, id } = await begin()
    await schedule(server, id, soon)
    await call(server, 'killFeature', { params: ofCheckout })
    pass(server)
    await expectFailure(
      server,
      id,
      /^feature "checkout" has changed since .*: killedFeature, disabledEnvironment by test-admin@clients at/
    )
    // The message stays until the change request is updated.
    const key = await tokenFor(server, 'limited')
    const rebased = await call(server, 'rebaseChangeRequest', { params: { ...ofCheckout, id }, key })
    expect(rebased.body).not.toHaveProperty('scheduleFailure')
  })

  test('has the reason: the permission to apply was removed', async () => {
    const { server: first, id } = await begin()
    await schedule(first, id, soon, 'publisher')
    const server = await restarted(first, NOW + HOUR, (store) => {
      return store.collection('clients').update(idOf('publisher'), { permissions: writing })
    })
    await expectFailure(server, id, /^only users with feature:publish and its creator may apply/)
  })

  test('has the reason: the project has no approvals any more', async () => {
    const { server, id } = await begin()
    await schedule(server, id, soon)
    const approvals = (enabled: boolean) => changeSettings(server, { featureApprovalWorkflow: { enabled } })
    await approvals(false)
    pass(server)
    await jobsToCheck(server)
    await approvals(true)
    await expectFailure(server, id, /^change requests are disabled in project "shop"/)
  })

  async function expectFailure(server: TestServer, id: string, reason: RegExp): Promise<void> {
    const request = await settled(server, id)
    expect(request).toMatchObject({ status: 'approved', scheduleFailure: expect.stringMatching(reason) })
    expect(await nameOf(server)).toBe('The checkout')
    const lines = () => server.logs.filter((line) => line.includes('could not be applied'))
    expect(lines()).toHaveLength(1)
    expect(JSON.parse(lines()[0] ?? '')).toMatchObject({
      level: 40,
      changeRequest: id,
      reason: request.scheduleFailure
    })
    const { body } = await call(server, 'listAuditEntries', { query: { project: 'shop' } })
    const entries = body.filter(({ actor }: { actor?: string }) => actor === 'server')
    expect(entries).toHaveLength(1)
    expect(entries[0].changes).toMatchObject([
      {
        type: 'modifiedChangeRequest',
        previousContents: { applyAt: soon },
        newContents: { scheduleFailure: request.scheduleFailure }
      }
    ])
    await jobsToCheck(server)
    expect(await get(server, id)).toEqual(request)
    expect(lines()).toHaveLength(1)
  }
})
