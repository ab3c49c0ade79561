import type { Operations } from '@burgee/contract'
import type { Call } from '@burgee/testing/harness'
import { beforeAll, describe, expect, it } from 'vitest'
import { openShop, type Shop } from '../support/shop.ts'

let shop: Shop

const filters = { operator: 'and', filters: [{ type: 'user', subType: 'email', comparator: '=', values: ['a@b.c'] }] }
const measure = { event: 'purchase', dimension: 'COUNT_PER_UNIQUE_USER', optimize: 'increase' }

type Request = readonly [keyof Operations, Call]

/** The requests by which another client makes the changes that a file describes. */
const kinds: readonly {
  readonly resource: string
  readonly file: (name: string) => string
  readonly create: (name: string) => Request
  readonly update: (name: string) => Request
  readonly remove: Request
}[] = [
  {
    resource: 'customProperties.plan',
    file: (name) => `customProperties: { plan: { name: ${name}, type: String, propertyKey: plan } }`,
    create: (name) => ['createCustomProperty', { body: { name, key: 'plan', type: 'String', propertyKey: 'plan' } }],
    update: (name) => ['updateCustomProperty', { params: { key: 'plan' }, body: { name } }],
    remove: ['deleteCustomProperty', { params: { key: 'plan' } }]
  },
  {
    resource: 'audiences.beta',
    file: (name) =>
      `audiences: { beta: { name: ${name}, for: [{ type: user, subType: email, comparator: "=", values: [a@b.c] }] } }`,
    create: (name) => ['createAudience', { body: { name, key: 'beta', filters } }],
    update: (name) => ['updateAudience', { params: { key: 'beta' }, body: { name } }],
    remove: ['deleteAudience', { params: { key: 'beta' } }]
  },
  {
    resource: 'variables.limit',
    file: (name) => `variables: { limit: { name: ${name}, type: Number } }`,
    create: (name) => ['createVariable', { body: { name, key: 'limit', type: 'Number' } }],
    update: (name) => ['updateVariable', { params: { key: 'limit' }, body: { name } }],
    remove: ['deleteVariable', { params: { key: 'limit' } }]
  },
  {
    resource: 'metrics.purchase',
    file: (name) =>
      `metrics: { purchase: { name: ${name}, event: purchase, dimension: COUNT_PER_UNIQUE_USER, optimize: increase } }`,
    create: (name) => ['createMetric', { body: { name, key: 'purchase', ...measure } }],
    update: (name) => ['updateMetric', { params: { key: 'purchase' }, body: { name } }],
    remove: ['deleteMetric', { params: { key: 'purchase' } }]
  },
  {
    resource: 'features.banner',
    file: (name) => `features: { banner: { name: ${name} } }`,
    create: (name) => ['createFeature', { body: { name, key: 'banner' } }],
    update: (name) => ['updateFeature', { params: { feature: 'banner' }, body: { name } }],
    remove: ['deleteFeature', { params: { feature: 'banner' } }]
  }
]

beforeAll(async () => {
  shop = await openShop()
})

/** Writes a file, and makes a request of another client between the plan and its first change. */
async function applyWith(content: string, request: Request) {
  await shop.write('flags.yaml', `burgee: 1\nmanage: { onRemoved: delete }\n${content}\n`)
  return shop.run('apply FLAGS --allow-delete', async () => {
    await shop.ask(...request)
    return 'y'
  })
}

describe.each(kinds)('a change of $resource that another client made after the plan', (kind) => {
  const { resource, file, create, update, remove } = kind
  const failed = expect.stringMatching(new RegExp(`${resource}  failed: `))
  const done = { code: 0, stdout: expect.stringContaining(`${resource}  done`) }

  it('counts as applied if the resource is as the files describe it', async () => {
    expect(await applyWith(file('One'), create('One'))).toMatchObject(done)
    expect(await applyWith(file('Two'), update('Two'))).toMatchObject(done)
    expect((await shop.run('plan FLAGS --detailed-exit-code')).code).toBe(0)
    expect(await applyWith('', remove)).toMatchObject(done)
  })

  it('fails and is kept if the resource is different', async () => {
    const created = await applyWith(file('One'), create('Other'))
    expect(created).toMatchObject({ code: 6, stdout: failed })
    expect((await shop.run('plan FLAGS')).stdout).toContain('name: Other → One')
    const updated = await applyWith(file('One'), update('Another'))
    expect(updated).toMatchObject({ code: 6, stdout: failed })
    expect((await shop.run('plan FLAGS')).stdout).toContain('name: Another → One')
    const removed = await applyWith(file('One'), remove)
    expect(removed).toMatchObject({ code: 5, stdout: failed })
    await shop.run('apply FLAGS --yes')
    await shop.write('flags.yaml', 'burgee: 1\nmanage: { onRemoved: delete }\n')
    expect((await shop.run('apply FLAGS --allow-delete --yes')).code).toBe(0)
  })
})
