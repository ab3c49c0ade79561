import { call, serve, type TestServer } from '@burgee/testing/harness'
import { beforeAll, expect, it } from 'vitest'
import { type Assistant, connect } from '../confirmation/person.ts'
import { adminTokens, createContext } from '../support/context.ts'

let server: TestServer
let assistant: Assistant

// Four realistic features: several targets in each of three environments, two variables, two variations.
beforeAll(async () => {
  const keys = ['checkout', 'search', 'pricing', 'banner']
  const serves = { 'variation-on': 0.5, 'variation-off': 0.5 }
  const targets = [{ name: 'Staff' }, { name: 'Beta testers', serves }, { name: 'All Users', serves }]
  server = await serve({ features: keys.map((key) => ({ key, targets })) })
  for (const key of keys) {
    const params = { project: 'shop' }
    const body = { key: `${key}-title`, type: 'String', _feature: key, defaultValue: 'Welcome' }
    expect((await call(server, 'createVariable', { params, body })).status).toBe(201)
  }
  assistant = await connect(createContext(server), { id: 'ada', tokens: adminTokens(server) }, '2026-07-28')
})

it('lists four features in less than 2,000 characters, with a total and without empty members', async () => {
  const { text, data } = await assistant.call('list_features', { sortBy: 'key', sortOrder: 'asc' })
  expect(text.length).toBeLessThan(2_000)
  expect(text).not.toMatch(/\n|:(0|""|\[\]|\{\}|null|false)[,}]/)
  expect(data).toMatchObject({ total: 4, page: 1, perPage: 100 })
  expect(data.result[0]).toEqual({
    key: 'banner',
    name: 'The banner',
    type: 'release',
    status: 'active',
    variables: [
      { key: 'banner', type: 'Boolean' },
      { key: 'banner-title', type: 'String' }
    ],
    variations: ['variation-on', 'variation-off'],
    activeIn: ['production'],
    updatedAt: expect.any(String)
  })
})

it('returns one feature in full, with the keys of its environments', async () => {
  const { data } = await assistant.call('get_feature', { key: 'checkout' })
  const { body: feature } = await call(server, 'getFeature', { params: { project: 'shop', feature: 'checkout' } })
  expect(data.result).toMatchObject(feature)
  expect(data.result.configurations.map(({ environment }: { environment: string }) => environment).sort()).toEqual([
    'production'
  ])
})

it('lists variables without the members that no tool needs', async () => {
  const { text, data } = await assistant.call('list_variables', { sortBy: 'key', sortOrder: 'asc' })
  expect(text).not.toMatch(/\n|:(0|""|\[\]|\{\}|null|false)[,}]/)
  expect(data.total).toBe(8)
  expect(data.result[1]).toEqual({
    key: 'banner-title',
    type: 'String',
    status: 'active',
    _feature: expect.stringMatching(/^[0-9a-f]{24}$/)
  })
})
