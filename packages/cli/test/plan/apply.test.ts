import { beforeAll, describe, expect, it } from 'vitest'
import { CHECKOUT, openShop, type Shop } from '../support/shop.ts'

let shop: Shop

beforeAll(async () => {
  shop = await openShop()
  await shop.write('checkout.yaml', CHECKOUT)
})

describe('burgee apply', () => {
  it('is shown by burgee plan, which changes nothing', async () => {
    const plan = await shop.run('plan FLAGS --detailed-exit-code')
    expect(plan).toEqual({
      code: 1,
      stdout: [
        'Plan for shop on SERVER (FLAGS)',
        '  + customProperties.plan',
        '  + audiences.beta',
        '  + variables.legacy-limit',
        '  + features.new-checkout',
        '  + metrics.purchase',
        '5 to create.',
        ''
      ].join('\n'),
      stderr: ''
    })
    expect((await shop.run('plan FLAGS')).code).toBe(0)
    expect(await shop.ask('listFeatures')).toEqual([])
  })

  it('asks, and changes nothing without a yes', async () => {
    expect(await shop.run('apply FLAGS')).toMatchObject({ code: 11, stdout: '' })
    expect(await shop.run('apply FLAGS', 'n')).toMatchObject({ code: 11, stdout: '' })
    expect(await shop.ask('listFeatures')).toEqual([])
  })

  it('creates what the files describe, in an order in which references exist', async () => {
    expect(await shop.run('apply FLAGS', 'y')).toMatchObject({
      code: 0,
      stdout: [
        '  + customProperties.plan  done',
        '  + audiences.beta  done',
        '  + variables.legacy-limit  done',
        '  + metrics.purchase  done',
        '  + features.new-checkout  done',
        '5 done.',
        ''
      ].join('\n')
    })
    const feature = await shop.ask('getFeature', { params: { feature: 'new-checkout' } })
    expect(feature).toMatchObject({ name: 'New checkout', summary: { markdown: 'Two steps instead of five.\n' } })
    const served = feature.configurations.find(({ targets }: { targets: unknown[] }) => targets.length > 0)
    expect(served).toMatchObject({
      status: 'active',
      targets: [
        { name: 'Beta testers', distribution: [{ percentage: 1 }] },
        { name: 'Others', distribution: [{ percentage: 0.5 }, { percentage: 0.5 }], rollout: { startPercentage: 0.2 } }
      ]
    })
  })

  it('leaves nothing to plan, and nothing to do a second time', async () => {
    expect(await shop.run('plan FLAGS --detailed-exit-code')).toEqual({
      code: 0,
      stdout: 'Plan for shop on SERVER (FLAGS)\nNo changes: the project is as the files describe it.\n',
      stderr: ''
    })
    const before = await shop.ask('listAuditEntries')
    expect((await shop.run('apply FLAGS')).code).toBe(0)
    expect(await shop.ask('listAuditEntries')).toEqual(before)
  })

  it('keeps the ids of targets, so that users keep their variations', async () => {
    const targetsOf = async () => {
      const { configurations } = await shop.ask('getFeature', { params: { feature: 'new-checkout' } })
      const all: readonly { targets: { _id: string; name: string }[] }[] = configurations
      return Object.fromEntries(all.flatMap(({ targets }) => targets.map(({ name, _id }) => [name, _id])))
    }
    const before = await targetsOf()
    await shop.write('checkout.yaml', CHECKOUT.replace('"on": 50%, "off": 50%', '"on": 80%, "off": 20%'))
    expect((await shop.run('plan FLAGS')).stdout).toContain(
      '      environments.development.targets\n        - {"name":"Others"'
    )
    expect((await shop.run('apply FLAGS --yes')).code).toBe(0)
    expect(await targetsOf()).toEqual(before)
    await shop.write('checkout.yaml', CHECKOUT)
    expect((await shop.run('apply FLAGS --yes')).code).toBe(0)
  })

  it('leaves members alone that the files do not describe', async () => {
    await shop.ask('updateFeature', { params: { feature: 'new-checkout' }, body: { description: 'From a person.' } })
    const production = { production: { status: 'inactive', targets: [] } }
    await shop.ask('updateFeature', { params: { feature: 'new-checkout' }, body: { configurations: production } })
    expect((await shop.run('plan FLAGS --detailed-exit-code')).code).toBe(0)
  })

  it('puts back, keeps or reports what people changed by hand', async () => {
    await shop.ask('updateFeature', { params: { feature: 'new-checkout' }, body: { name: 'By hand' } })
    const plan = await shop.run('plan FLAGS')
    expect(plan.stdout).toBe(
      [
        'Plan for shop on SERVER (FLAGS)',
        '  ~ features.new-checkout',
        '      name: By hand → New checkout  (changed by hand since it was applied)',
        '1 to change, 1 changed by hand, to put back.',
        ''
      ].join('\n')
    )
    expect((await shop.run('plan FLAGS --drift fail')).code).toBe(1)
    expect(await shop.run('apply FLAGS --drift fail --yes')).toMatchObject({ code: 6, stdout: '' })
    expect((await shop.run('apply FLAGS --drift keep --yes')).stdout).toContain(
      '= features.new-checkout.name  changed by hand since it was applied (kept: --drift keep)'
    )
    expect((await shop.ask('getFeature', { params: { feature: 'new-checkout' } })).name).toBe('By hand')
    expect((await shop.run('apply FLAGS --yes')).code).toBe(0)
    expect((await shop.ask('getFeature', { params: { feature: 'new-checkout' } })).name).toBe('New checkout')
  })

  it('takes a saved plan only while the project is as it was', async () => {
    await shop.write('checkout.yaml', CHECKOUT.replace('name: New checkout', 'name: Newer checkout'))
    expect((await shop.run('plan FLAGS/checkout.yaml --out FLAGS/.plan.json')).code).toBe(0)
    await shop.ask('updateFeature', { params: { feature: 'new-checkout' }, body: { name: 'By hand' } })
    expect(await shop.run('apply FLAGS/.plan.json --yes')).toMatchObject({
      code: 6,
      stderr: expect.stringContaining('nothing was changed: project shop has changed since')
    })
    await shop.ask('updateFeature', { params: { feature: 'new-checkout' }, body: { name: 'New checkout' } })
    expect((await shop.run('apply FLAGS/.plan.json --yes')).code).toBe(0)
    expect((await shop.run('plan FLAGS --detailed-exit-code')).code).toBe(0)
    await shop.write('checkout.yaml', CHECKOUT)
    expect((await shop.run('apply FLAGS --yes')).code).toBe(0)
  })

  it('goes on after a failure, skips what depends on it, and finishes when it runs again', async () => {
    const more = `burgee: 1
audiences:
  broken: { name: Broken, for: [{ type: user, subType: customData, dataKey: plan, dataKeyType: String, comparator: "=", values: [pro] }] }
features:
  banner: { name: Banner }
  search: { name: Search, variables: { depth: { type: JSON, schema: { schemaType: jsonSchema, jsonSchema: '{"required":["a"]}', description: A depth, exampleValue: { a: 1 } } } }, variations: { a: { values: { depth: {} } } } }
`
    await shop.write('more.yaml', more)
    const first = await shop.run('apply FLAGS --yes')
    expect(first.code).toBe(10)
    expect(first.stdout).toMatch(/features\.banner {2}done/)
    expect(first.stdout).toMatch(/features\.search {2}failed: variation "a": variable "depth" /)
    expect(first.stderr).toContain('. To finish, correct what failed, and repeat the command')
    await shop.write('more.yaml', more.replace('depth: {} ', 'depth: { a: 1 } '))
    expect((await shop.run('apply FLAGS --yes')).code).toBe(0)
    expect((await shop.run('plan FLAGS --detailed-exit-code')).code).toBe(0)
  })

  it('removes only what its files described, and only when asked', async () => {
    await shop.ask('createFeature', { body: { key: 'by-hand', name: 'By hand' } })
    await shop.write('more.yaml', 'burgee: 1\nfeatures: {}\n')
    const kept = await shop.run('plan FLAGS')
    expect(kept.stdout).toContain('= features.banner  no longer in the files (kept: manage.onRemoved is not delete)')
    expect(kept.stdout).not.toContain('by-hand')
    await shop.write('more.yaml', 'burgee: 1\nmanage: { onRemoved: delete }\n')
    expect((await shop.run('plan FLAGS')).stdout).toContain('(kept: delete it with --allow-delete)')
    const removed = await shop.run('apply FLAGS --allow-delete --yes')
    expect(removed).toMatchObject({
      code: 0,
      stdout: '  - features.search  done\n  - features.banner  done\n  - audiences.broken  done\n3 done.\n'
    })
    const keys = (await shop.ask('listFeatures')).map(({ key }: { key: string }) => key)
    expect(keys.sort()).toEqual(['by-hand', 'new-checkout'])
    expect((await shop.run('plan FLAGS --detailed-exit-code')).code).toBe(0)
  })

  it('says that a feature that is on is not deleted without --force', async () => {
    await shop.write('more.yaml', 'burgee: 1\nfeatures: { live: { name: Live } }\n')
    expect((await shop.run('apply FLAGS --yes')).code).toBe(0)
    await shop.run('flags on live -e development --serve variation-on')
    await shop.write('more.yaml', 'burgee: 1\nmanage: { onRemoved: delete }\n')
    const { stdout } = await shop.run('plan FLAGS --allow-delete')
    expect(stdout).toContain(
      '  - features.live  delete: no longer in the files\n      on in development: burgee apply refuses this without --force, or turn it off first\n'
    )
    const { changes } = await shop.json('plan FLAGS --allow-delete')
    expect(changes).toMatchObject([{ resource: 'features.live', onIn: ['development'] }])
    expect((await shop.run('apply FLAGS --allow-delete --yes')).stdout).toContain('pass --force')
    expect((await shop.run('apply FLAGS --allow-delete --force --yes')).code).toBe(0)
  })

  it('refuses members that the files of another label describe, unless it takes them over', async () => {
    await shop.write('more.yaml', 'burgee: 1\nmanage: { label: other-repo }\n')
    expect(await shop.run('plan FLAGS')).toMatchObject({ code: 6 })
    expect(await shop.run('apply FLAGS --yes')).toMatchObject({
      code: 6,
      stderr: expect.stringContaining('is described by the files of "shop". Leave it out, or pass --take-over')
    })
    expect((await shop.run('plan FLAGS --take-over')).stdout).toContain('(apply takes it over)')
    const owners = async (): Promise<Record<string, string[]>> => {
      const listed: { label: string; resources: { key: string }[] }[] = await shop.ask('listManagement')
      return Object.fromEntries(listed.map(({ label, resources }) => [label, resources.map(({ key }) => key).sort()]))
    }
    const before = await owners()
    // The change fails, so its members stay with the files that describe them.
    await shop.write('checkout.yaml', CHECKOUT.replace('name: New checkout', 'name: Taken over'))
    const failed = await shop.run('apply FLAGS --take-over', async () => {
      await shop.ask('updateFeature', { params: { feature: 'new-checkout' }, body: { name: 'By hand' } })
      return 'y'
    })
    expect([failed.code, failed.stderr]).toEqual([6, expect.stringContaining('nothing was applied')])
    expect(failed.stderr).toContain('described by the files of "shop" (apply takes it over)')
    expect(await owners()).toEqual({ ...before, 'other-repo': [] })
    await shop.ask('updateFeature', { params: { feature: 'new-checkout' }, body: { name: 'New checkout' } })
    await shop.write('checkout.yaml', CHECKOUT)

    expect((await shop.run('apply FLAGS --take-over --yes')).code).toBe(0)
    const labels = await shop.ask('listManagement')
    expect(
      labels.map(({ label, resources }: { label: string; resources: unknown[] }) => [label, resources.length])
    ).toEqual([
      ['other-repo', 5],
      ['shop', 0]
    ])
  })
})

describe('burgee apply of many new features', () => {
  const write = (keys: readonly string[]) => {
    const lines = keys.map((key) => `  ${key}: { name: ${key}, links: [], variables: { ${key}: { type: Boolean } } }\n`)
    return shop.write('checkout.yaml', `burgee: 1\nfeatures:\n${lines.join('')}`)
  }
  const numbered = (prefix: string, count: number) => Array.from({ length: count }, (_, index) => `${prefix}-${index}`)
  const requestsOf = (stderr: string) =>
    [...stderr.matchAll(/> POST \S+\/features(\/multiple)?(?=\s)/g)].map(([, many]) => (many ? 'many' : 'one'))

  beforeAll(async () => {
    shop = await openShop()
  })

  it('creates several in a request', async () => {
    const keys = numbered('many', 60)
    await write(keys)
    const { code, stdout, stderr } = await shop.run('apply FLAGS --yes --debug')
    expect([code, requestsOf(stderr)]).toEqual([0, ['many', 'many']])
    expect(stdout.endsWith('  + features.many-59  done\n60 done.\n')).toBe(true)
    expect((await shop.run('plan FLAGS --detailed-exit-code')).code).toBe(0)
  })

  it('creates one after the other if one of them is refused, and says which and why', async () => {
    await write(numbered('refused', 3))
    // Only the server checks JSON Schemas.
    const schema = `schema: { schemaType: jsonSchema, jsonSchema: '{"required":["a"]}', description: x, exampleValue: {} }`
    const text = (await shop.read('checkout.yaml')).replace(
      'refused-1: { type: Boolean }',
      `refused-1: { type: JSON, ${schema} }`
    )
    await shop.write('checkout.yaml', text)
    const { code, stdout, stderr } = await shop.run('apply FLAGS --yes --debug')
    expect([code, requestsOf(stderr)]).toEqual([10, ['many', 'one', 'one', 'one']])
    expect(stdout).toMatch(/refused-0 {2}done\n.*refused-1 {2}failed: .+\n.*refused-2 {2}done\n2 done, 1 failed\./)
  })
})

describe('burgee apply of a change that fails', () => {
  beforeAll(async () => {
    shop = await openShop()
  })

  it('leaves members to others if their change failed', async () => {
    await shop.ask('createFeature', { body: { key: 'shared', name: 'Shared' } })
    await shop.write('more.yaml', 'burgee: 1\nfeatures: { shared: { name: Renamed } }\n')
    const failed = await shop.run('apply FLAGS --only features.shared', async () => {
      await shop.ask('updateFeature', { params: { feature: 'shared' }, body: { name: 'By hand' } })
      return 'y'
    })
    expect([failed.code, failed.stderr]).toEqual([6, expect.stringContaining('nothing was applied')])
    await shop.write('other/other.yaml', 'burgee: 1\nmanage: { label: others }\nfeatures: { shared: { name: Mine } }\n')
    expect((await shop.run('apply FLAGS/other --yes')).code).toBe(0)
  })
})
