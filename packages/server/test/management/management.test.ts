import { serveLimited } from '@burgee/testing/apiClients'
import { type ApiResponse, call, serve, type TestServer } from '@burgee/testing/harness'
import { idOf } from '@burgee/testing/plan'
import { beforeEach, describe, expect, it } from 'vitest'

const project = 'shop'
let server: TestServer

beforeEach(async () => {
  server = await serve({})
})

function get(label: string): Promise<ApiResponse> {
  return call(server, 'getManagement', { params: { project, label } })
}

function update(label: string, body: object, headers: Record<string, string> = {}): Promise<ApiResponse> {
  return call(server, 'updateManagement', { params: { project, label }, body, headers })
}

/** A feature with managed members. */
function feature(key: string, ...paths: readonly string[]) {
  return { kind: 'feature', key, fields: Object.fromEntries(paths.map((path) => [path, 'digest'])) }
}

describe('the members that files describe', () => {
  it('are none before the first update, which has a revision too', async () => {
    const { status, body, headers } = await get('shop-repo')
    expect([status, body]).toMatchObject([200, { label: 'shop-repo', _project: idOf('shop'), resources: [] }])
    const created = await update(
      'shop-repo',
      { resources: [feature('search', 'name')] },
      { 'if-match': headers.etag ?? '' }
    )
    expect(created.status).toBe(200)
    expect(created.body._id).not.toBe(body._id)
    const again = await update(
      'shop-repo',
      { resources: [feature('search', 'name')] },
      { 'if-match': headers.etag ?? '' }
    )
    expect([again.status, again.body.errorType]).toEqual([412, 'ERR_REVISION'])
  })

  it('are replaced for each listed resource, and others stay', async () => {
    const origin = { repository: 'acme/shop', path: 'flags', commit: '3f2c1d9' }
    await update('shop-repo', { ...origin, resources: [feature('search', 'name', 'tags'), feature('banner', 'name')] })
    const { body } = await update('shop-repo', { commit: 'a1b2c3d', resources: [feature('search', 'name')] })
    const expected = { ...origin, commit: 'a1b2c3d', resources: [feature('search', 'name'), feature('banner', 'name')] }
    expect(body).toMatchObject(expected)
    const released = await update('shop-repo', { resources: [feature('search')] })
    expect(released.body.resources).toEqual([feature('banner', 'name')])
    expect((await get('shop-repo')).body).toEqual(released.body)
  })

  it('belong to one label, until another one takes them over', async () => {
    await update('shop-repo', { resources: [feature('search', 'name', 'tags')] })
    expect((await update('web-repo', { resources: [feature('search', 'description')] })).status).toBe(200)
    const refused = await update('web-repo', { resources: [feature('search', 'description', 'name')] })
    expect([refused.status, refused.body]).toMatchObject([
      409,
      {
        errorType: 'ERR_MANAGED',
        message:
          'name of feature "search" is described by the files of "shop-repo": set takeOver to describe it with others'
      }
    ])
    const taken = await update('web-repo', { resources: [feature('search', 'description', 'name')], takeOver: true })
    expect(taken.status).toBe(200)
    const { body } = await call(server, 'listManagement', { params: { project } })
    expect(body.map(({ label, resources }: ApiResponse['body']) => [label, resources])).toEqual([
      ['shop-repo', [feature('search', 'tags')]],
      ['web-repo', [feature('search', 'description', 'name')]]
    ])
  })

  describe('require the permission to change', () => {
    const digest = 'digest'
    const fields = { name: digest }

    it.each([
      [{ kind: 'feature', key: 'search', fields }, undefined],
      [{ kind: 'metric', key: 'sales', fields }, undefined],
      [{ kind: 'customProperty', key: 'tier', fields }, undefined],
      [{ kind: 'audience', key: 'beta', fields }, 'audience:write'],
      [{ kind: 'variable', key: 'color', fields }, 'variable:write'],
      [{ kind: 'webhook', key: 'Deploy log', fields: { url: digest } }, 'project:write:settings'],
      [{ kind: 'settings', key: '', fields: { 'optIn.title': digest } }, 'feature:publish'],
      [{ kind: 'settings', key: '', fields: { 'staleness.enabled': digest } }, 'project:write:settings']
    ])('%j', async (resource, missingPermission) => {
      const limited = await serveLimited({}, ['project:read', 'feature:read', 'feature:write'])
      const body = { resources: [resource] }
      const params = { project, label: 'web-repo' }
      await call(limited.server, 'updateManagement', { params: { project, label: 'shop-repo' }, body })
      const attempt = { params, body: { ...body, takeOver: true }, key: limited.key }
      const taken = await call(limited.server, 'updateManagement', attempt)
      expect([taken.status, taken.body.missingPermission]).toEqual([missingPermission ? 403 : 200, missingPermission])
      const releasing = { resources: [{ ...resource, fields: {} }] }
      const released = await call(limited.server, 'updateManagement', {
        params: { project, label: 'shop-repo' },
        body: releasing,
        key: limited.key
      })
      expect(released.body.missingPermission).toBe(missingPermission)
    })
  })

  it.each([
    [{ resources: [{ kind: 'project', key: 'shop', fields: {} }] }, /resources\.0\.kind/],
    [{ resources: [{ kind: 'feature', key: 'search', fields: { name: 5 } }] }, /resources\.0\.fields\.name/],
    [{}, /resources/]
  ])('refuse %j', async (body, message) => {
    const { status, body: answer } = await update('shop-repo', body)
    expect([status, answer.message]).toEqual([400, [expect.stringMatching(message)]])
  })

  it('need a project, and a label that is a key', async () => {
    const params = { project: 'nope', label: 'shop-repo' }
    expect((await call(server, 'getManagement', { params })).status).toBe(404)
    expect((await get('Shop Repo')).status).toBe(400)
  })
})
