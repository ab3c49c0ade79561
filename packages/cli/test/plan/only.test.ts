import { beforeAll, expect, it } from 'vitest'
import { CHECKOUT, openShop, type Shop } from '../support/shop.ts'

let shop: Shop

beforeAll(async () => {
  shop = await openShop()
  await shop.write('checkout.yaml', CHECKOUT)
  await shop.run('apply FLAGS --yes')
  const changed = CHECKOUT.replace('name: New checkout', 'name: Short checkout')
    .replace('name: Beta testers\n    for', 'name: Testers\n    for')
    .replace('status: "on"', 'status: "off"')
  await shop.write('checkout.yaml', `${changed}  search: { name: Search, tags: [search] }\n`)
})

it('burgee plan --only shows only the changes at a path', async () => {
  expect((await shop.run('plan FLAGS --only features.new-checkout.environments')).stdout).toBe(
    [
      'Plan for shop on SERVER (FLAGS, only features.new-checkout.environments)',
      '  ~ features.new-checkout',
      '      environments.development.status: on → off',
      '1 to change.',
      ''
    ].join('\n')
  )
  const { changes } = await shop.json('plan FLAGS --only audiences --only features.new-checkout.name')
  expect(changes).toMatchObject([
    { resource: 'audiences.beta' },
    { resource: 'features.new-checkout', members: [{ path: 'name' }] }
  ])
})

it('burgee apply --only leaves everything else as it is, and to later runs', async () => {
  expect(await shop.run('apply FLAGS --only features.new-checkout.name --yes')).toMatchObject({ code: 0 })
  expect(await shop.ask('getFeature', { params: { feature: 'new-checkout' } })).toMatchObject({
    name: 'Short checkout'
  })
  expect(await shop.ask('getAudience', { params: { key: 'beta' } })).toMatchObject({ name: 'Beta testers' })
  const { changes } = await shop.json('plan FLAGS')
  const drift = changes.flatMap((one: { members: { isDrift: boolean }[] }) =>
    one.members.filter(({ isDrift }) => isDrift)
  )
  expect([changes.map(({ resource }: { resource: string }) => resource), drift]).toEqual([
    ['audiences.beta', 'features.new-checkout', 'features.search'],
    []
  ])
})

it('a saved plan keeps its limits', async () => {
  await shop.run('plan FLAGS --only audiences --out FLAGS/../only.json')
  expect(await shop.run('apply FLAGS/../only.json --only features --yes')).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('pass it to burgee plan')
  })
  expect((await shop.run('apply FLAGS/../only.json --yes')).stdout).toBe('  ~ audiences.beta  done\n1 done.\n')
})

it('what is removed from files outside of the path stays', async () => {
  await shop.write(
    'checkout.yaml',
    `${CHECKOUT.replace(/variables:\n {2}legacy-limit.*\n/, '')}manage: { onRemoved: delete }\n`
  )
  const { changes } = await shop.json('plan FLAGS --only features --allow-delete')
  expect(changes.map(({ action }: { action: string }) => action)).not.toContain('delete')
  const all = await shop.json('plan FLAGS --only variables --allow-delete')
  expect(all.changes).toMatchObject([{ resource: 'variables.legacy-limit', action: 'delete' }])
})

it.each([
  ['features.serch', '--only features.serch is not in the files'],
  ['feature', '--only feature is not in the files (did you mean features?)'],
  [
    'features.search.tags',
    'features.search does not exist yet, so it is created as a whole: pass --only features.search'
  ]
])('burgee plan --only %s is refused', async (path, message) => {
  await shop.write('checkout.yaml', `${CHECKOUT}  search: { name: Search, tags: [search] }\n`)
  expect(await shop.run(`plan FLAGS --only ${path}`)).toMatchObject({
    code: 2,
    stderr: expect.stringContaining(message)
  })
})
