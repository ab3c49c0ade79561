import type { Permission } from '@burgee/contract'
import { addClients, tokenFor } from '@burgee/testing/apiClients'
import { call, serve, storeWith, type TestServer } from '@burgee/testing/harness'
import { attributeFilter, idOf, type Plan } from '@burgee/testing/plan'
import { beforeAll, describe, expect, it, test } from 'vitest'

// The permissions that a change requires besides that of its operation, for clients with single permissions.

const plan: Plan = {
  audiences: {
    inner: { operator: 'and', filters: [attributeFilter('user_id', 'nobody')] },
    outer: { operator: 'and', filters: [{ type: 'audienceMatch', comparator: '=', _audiences: [idOf('inner')] }] },
    idle: { operator: 'and', filters: [attributeFilter('user_id', 'nobody')] }
  },
  features: [
    { key: 'checkout' },
    { key: 'off', offIn: ['production'], targets: [{ filters: [asking('idle')] }] },
    { key: 'vip', targets: [{ filters: [asking('outer')] }] },
    { key: 'done', status: 'complete', staticVariation: 'variation-on' }
  ]
}

function asking(audience: string) {
  return { type: 'audienceMatch', comparator: '=', _audiences: [idOf(audience)] } as const
}

const reading = ['project:read', 'feature:read'] as const
const clients: Record<string, readonly Permission[]> = {
  features: [...reading, 'feature:write', 'feature:publish'],
  variations: [...reading, 'feature:write', 'feature:publish', 'variation:write'],
  variables: [...reading, 'feature:write', 'feature:publish', 'variable:write'],
  all: [...reading, 'feature:write', 'feature:publish', 'variation:write', 'variable:write'],
  onlyVariables: ['variable:write', 'feature:publish'],
  onlyVariations: ['variation:write', 'feature:publish'],
  writer: [...reading, 'feature:write', 'audience:read', 'audience:write'],
  publisher: [...reading, 'feature:write', 'audience:read', 'audience:write', 'feature:publish']
}

let server: TestServer
const keys: Record<string, string> = {}

beforeAll(async () => {
  const directory = await storeWith(plan)
  await addClients(directory, clients)
  server = await serve(directory)
  for (const name of Object.keys(clients)) keys[name] = await tokenFor(server, name)
})

async function patch(client: string, body: object, feature = 'checkout') {
  const given = { params: { project: 'shop', feature }, body, key: keys[client] ?? null }
  const answer = await call(server, 'updateFeature', given)
  return [answer.status, answer.body.message]
}

const lacking = (permission: Permission) => [403, `this operation requires the permission ${permission}`]

describe('an update of a feature', () => {
  const values = (on: boolean) => [
    { key: 'variation-on', name: 'On', variables: { checkout: on } },
    { key: 'variation-off', name: 'Off', variables: { checkout: false } }
  ]

  it('requires feature:write for its own members', async () => {
    expect(await patch('features', { name: 'Other' })).toEqual([200, undefined])
  })

  it('also requires variation:write to change variations, their values or their order', async () => {
    for (const variations of [values(true), values(false), [...values(true)].reverse(), values(true).slice(0, 1)]) {
      expect(await patch('variables', { variations })).toEqual(lacking('variation:write'))
    }
    expect(await patch('variations', { variations: values(true) })).toEqual([200, undefined])
    // They have these values already.
    expect(await patch('features', { variations: values(true) })).toEqual([200, undefined])
  })

  it('also requires variable:write to add, change or remove variables', async () => {
    const [checkout, label] = [
      { key: 'checkout', type: 'Boolean' },
      { key: 'label', type: 'String' }
    ]
    const renamed = { ...checkout, name: 'Renamed' }
    for (const variables of [[checkout, label], [renamed], [label]]) {
      expect(await patch('variations', { variables })).toEqual(lacking('variable:write'))
    }
    for (const variables of [[checkout, label], [renamed], [checkout]]) {
      expect(await patch('variables', { variables })).toEqual([200, undefined])
    }
  })

  it('requires the same permissions for a static configuration and a revert', async () => {
    const done = { project: 'shop', feature: 'done' }
    const change = (client: string) => {
      const body = { variables: { done: false } }
      return call(server, 'updateStaticConfiguration', { params: done, body, key: keys[client] ?? null })
    }
    expect((await change('variables')).body.message).toBe('this operation requires the permission variation:write')
    expect((await change('variations')).status).toBe(200)
    const [{ _id: entry }] = (await call(server, 'getFeatureAudit', { params: done })).body
    const revert = (client: string) =>
      call(server, 'revertFeature', { params: { ...done, entry }, key: keys[client] ?? null })
    expect((await revert('features')).body.message).toBe('this operation requires the permission variation:write')
    expect((await revert('variations')).status).toBe(200)
  })

  it('requires nothing more to archive a feature with its variables', async () => {
    const params = { project: 'shop', feature: 'off' }
    for (const status of ['archived', 'active']) {
      const answer = await call(server, 'updateFeatureStatus', { params, body: { status }, key: keys.features ?? null })
      expect(answer.status).toBe(200)
    }
  })
})

describe('changing only a variable or a variation', () => {
  it('requires only its own permission', async () => {
    const body = { key: 'extra', type: 'String', _feature: 'vip', defaultValue: 'x' }
    const variable = { params: { project: 'shop' }, body, key: keys.onlyVariables ?? null }
    expect((await call(server, 'createVariable', variable)).status).toBe(201)
    const params = { project: 'shop', feature: 'vip', key: 'variation-on' }
    const variation = { params, body: { variables: { extra: 'y' } }, key: keys.onlyVariations ?? null }
    expect((await call(server, 'updateVariation', variation)).status).toBe(200)
  })
})

describe('changes for users of a protected environment require feature:publish', () => {
  it('to change the key of an active feature', async () => {
    expect(await patch('writer', { key: 'vip-two' }, 'vip')).toEqual(lacking('feature:publish'))
    expect(await patch('writer', { key: 'off-two' }, 'off')).toEqual([200, undefined])
    expect(await patch('publisher', { key: 'vip-two' }, 'vip')).toEqual([200, undefined])
  })

  const everybody = { operator: 'and', filters: [{ type: 'all' }] }

  test.each(['inner', 'outer'])('to change the filters of audience %s, which an active feature uses', async (key) => {
    const params = { project: 'shop', key }
    const update = (client: string, body: object) =>
      call(server, 'updateAudience', { params, body, key: keys[client] ?? null })
    const refused = await update('writer', { filters: everybody })
    expect([refused.status, refused.body.message]).toEqual(lacking('feature:publish'))
    expect((await update('writer', { name: 'Another name' })).status).toBe(200)
    expect((await update('publisher', { filters: everybody })).status).toBe(200)
    // They have these values already.
    expect((await update('writer', { filters: everybody })).status).toBe(200)
  })

  it('to add values to an audience that an active feature uses through another one', async () => {
    const nobody = { operator: 'and', filters: [attributeFilter('user_id', 'nobody')] }
    const inner = { params: { project: 'shop', key: 'inner' } }
    const set = await call(server, 'updateAudience', {
      ...inner,
      body: { filters: nobody },
      key: keys.publisher ?? null
    })
    expect(set.status).toBe(200)
    const outer = { operator: 'and', filters: [asking('inner')] }
    const key = 'outer'
    await call(server, 'updateAudience', { params: { project: 'shop', key }, body: { filters: outer } })
    const body = { instructions: [{ op: 'addFilterValues', action: { filterIndex: '0', values: ['x'] } }] }
    const add = (client: string) => call(server, 'patchAudience', { ...inner, body, key: keys[client] ?? null })
    expect((await add('writer')).body.message).toBe('this operation requires the permission feature:publish')
    expect((await add('publisher')).status).toBe(200)
  })

  it('but not to change an audience that no active feature uses', async () => {
    const given = { params: { project: 'shop', key: 'idle' }, body: { filters: everybody }, key: keys.writer ?? null }
    expect((await call(server, 'updateAudience', given)).status).toBe(200)
  })
})
