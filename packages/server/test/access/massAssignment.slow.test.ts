import type { Operations } from '@burgee/contract'
import { call, options, serve, storeWith, type TestServer } from '@burgee/testing/harness'
import { addMembers } from '@burgee/testing/members'
import { idOf, keyOf, type Plan } from '@burgee/testing/plan'
import { sample } from '@burgee/testing/scale'
import { storedData } from '@burgee/testing/storedData'
import { beforeAll, describe, expect, it, test } from 'vitest'
import { serving } from '../support/features.ts'
import { managementOperations, requestOf } from '../support/managementRequests.ts'

/** The members that only the server sets, with values that a caller may try. */
const wishes: Readonly<Record<string, unknown>> = {
  _id: idOf('chosen'),
  _organization: 'org_other',
  _project: idOf('other'),
  _createdBy: 'somebody-else',
  readonly: false,
  createdAt: '2020-01-01T00:00:00.000Z',
  updatedAt: '2020-01-01T00:00:00.000Z',
  sdkKeys: { server: [{ key: 'server-chosen', createdAt: '2020-01-01T00:00:00.000Z', compromised: false }] },
  role: 'organization_owner',
  roles: [{ role: 'organization_owner' }],
  permissions: ['organization:write:settings'],
  isDynamic: false,
  passwordVerifier: 'scrypt$chosen',
  secretVerifier: 'scrypt$chosen',
  clientSecret: 'chosen',
  contentHash: 'chosen'
}

/** Bodies that have a member of that name. */
const parts: { readonly [Id in keyof Operations]?: readonly string[] } = {
  createUser: ['roles'],
  updateUser: ['roles'],
  createApiClient: ['roles', 'permissions'],
  updateApiClient: ['roles', 'permissions'],
  updateOrganizationSettings: ['permissions'],
  // The content that the reviewer saw.
  reviewChangeRequest: ['contentHash'],
  reviewProjectChangeRequest: ['contentHash'],
  // It names the variation to change.
  updateVariation: ['_id']
}

const plan: Plan = { features: [{ key: 'checkout' }] }
// The published action sends further members with code usages, which are ignored.
const bodies = managementOperations.filter(({ id, body }) => body && id !== 'updateCodeUsages')
let server: TestServer

beforeAll(async () => {
  const directory = await storeWith(plan)
  await addMembers(directory, {
    mode: 'full',
    clients: { bot: [{ role: 'member' }] },
    people: { ada: { roles: [{ role: 'member' }], passwordVerifier: 'scrypt$of-ada' } }
  })
  server = await serve(directory)
})

async function stored(): Promise<unknown> {
  return storedData(server.directory)
}

function tamper(body: unknown, name: string): unknown {
  if (Array.isArray(body)) return [...body, { key: 'spoiled', name: 'Spoiled', [name]: wishes[name] }]
  return { ...(body as object), [name]: wishes[name] }
}

describe.each(sample(bodies, Math.ceil(bodies.length / 3), 'bodies'))('$id', (record) => {
  it('accepts no members that the server sets', async () => {
    const before = await stored()
    const request = requestOf(record)
    const names = Object.keys(wishes).filter((name) => !parts[record.id]?.includes(name))
    for (const name of names) {
      const body = tamper(request.body, name)
      const answer = await call(server, record.id, { ...request, body })
      const member = Array.isArray(body) ? `${body.length - 1}.${name}` : name
      const { message, error } = answer.body ?? {}
      // The manifest has errors in the form of OpenFeature's tools.
      expect([name, answer.status, [message ?? error?.message].flat()]).toEqual([
        name,
        400,
        expect.arrayContaining([expect.stringContaining(`property ${member} should not exist`)])
      ])
    }
    expect(await stored()).toEqual(before)
  })
})

const everybody = { operator: 'and', filters: [{ type: 'all' }] }

test.each<[string, keyof Operations, (wish: object) => object]>([
  ['variables.0', 'updateFeature', (wish) => ({ variables: [{ key: 'checkout', type: 'Boolean', ...wish }] })],
  ['configurations.production', 'updateFeature', (wish) => ({ configurations: { production: wish } })],
  [
    'configurations.production.targets.0',
    'updateFeature',
    (wish) => ({ configurations: { production: { targets: [serving('variation-on', wish)] } } })
  ],
  ['settings', 'updateFeature', (wish) => ({ settings: wish })],
  ['sdkVisibility', 'updateFeature', (wish) => ({ sdkVisibility: wish })],
  ['summary', 'updateFeature', (wish) => ({ summary: wish })],
  ['settings', 'updateProject', (wish) => ({ settings: wish })],
  ['settings.optIn', 'updateProject', (wish) => ({ settings: { optIn: wish } })],
  ['settings', 'updateEnvironment', (wish) => ({ settings: wish })],
  ['filters', 'updateAudience', (wish) => ({ filters: { ...everybody, ...wish } })],
  ['permissions', 'updateOrganizationSettings', (wish) => ({ permissions: wish })],
  ['roles.0', 'updateUser', (wish) => ({ roles: [{ role: 'viewer', ...wish }] })],
  ['roles.0', 'updateApiClient', (wish) => ({ roles: [{ role: 'viewer', ...wish }] })]
])('the member %s in the body of %s accepts no members that the server sets', async (place, id, bodyWith) => {
  const before = await stored()
  const params = { project: 'shop', feature: 'checkout', key: 'shop', user: 'ada', client: 'bot' }
  for (const name of ['readonly', '_project', 'createdAt', 'sdkKeys', '_createdBy']) {
    const { status, body } = await call(server, id, { params, body: bodyWith({ [name]: wishes[name] }) })
    expect([name, status, [body.message].flat()]).toEqual([
      name,
      400,
      expect.arrayContaining([expect.stringContaining(`property ${place}.${name} should not exist`)])
    ])
  }
  expect(await stored()).toEqual(before)
})

it('no value chosen by a client is stored', async () => {
  const text = JSON.stringify(await storedData(server.directory))
  for (const wish of ['chosen', idOf('chosen'), 'somebody-else', 'org_other']) expect(text).not.toContain(wish)
  const { status } = await call(server, 'evaluateVariables', { body: { user_id: 'ada' }, key: 'server-chosen' })
  expect(status).toBe(401)
})

describe('a secret', () => {
  const reading = managementOperations.filter(({ method }) => method === 'GET')

  it.each(reading)('is in no response of $id', async (record) => {
    const { params, ...request } = requestOf(record)
    const names = { feature: 'checkout', environment: 'production', user: idOf('person ada'), client: 'bot' }
    const key = params?.key === 'nowhere' ? 'checkout' : 'shop'
    const { body } = await call(server, record.id, { ...request, params: { ...params, ...names, key } })
    const text = JSON.stringify(body ?? '')
    for (const secret of ['scrypt', 'Verifier', 'privateJwk', options.adminClientSecret]) {
      expect(text).not.toContain(secret)
    }
    // Callers who may change an environment see its keys there, and nowhere else.
    if (record.tag !== 'Environments') expect(text).not.toContain(keyOf('server'))
  })
})
