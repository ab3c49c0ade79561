import { NOW } from '@burgee/testing/plan'
import { beforeAll, describe, expect, it } from 'vitest'
import { CHECKOUT, openShop, type Shop } from '../support/shop.ts'

let shop: Shop

const filters = [{ type: 'user', subType: 'country', comparator: '=', values: ['CA', 'US'] }] as const

beforeAll(async () => {
  shop = await openShop({
    features: [
      {
        key: 'banner',
        targets: [{ name: 'Canada', filters, serves: { on: 1 / 3, off: 2 / 3 } }, { name: 'Everyone' }],
        variations: { on: { banner: true }, off: { banner: false } }
      },
      { key: 'finished', status: 'complete', staticVariation: 'on', variations: { on: { finished: true } } },
      { key: 'old', status: 'archived' },
      {
        key: 'limits',
        variables: { limits: 'JSON', 'max.size': 'Number' },
        variations: { small: { limits: { yes: 'no', list: [1] }, 'max.size': 1 } },
        targets: [{ rollout: { type: 'schedule', startDate: new Date(NOW).toISOString() }, bucketingKey: 'account' }]
      }
    ],
    audiences: { staff: { operator: 'or', filters: [...filters] } }
  })
})

describe('burgee pull', () => {
  it('writes a project into files, from which apply changes nothing', async () => {
    const { code, stdout } = await shop.run('pull FLAGS/all')
    expect([code, stdout]).toEqual([0, 'Wrote 5 files to FLAGS/all. Next: burgee plan FLAGS/all\n'])
    expect(await shop.run('plan FLAGS/all --detailed-exit-code')).toMatchObject({
      code: 0,
      stdout: expect.stringContaining('No changes')
    })
    const before = await shop.ask('listAuditEntries')
    expect((await shop.run('apply FLAGS/all')).code).toBe(0)
    expect(await shop.ask('listAuditEntries')).toEqual(before)
  })

  it('names the schema for editors, and quotes words that YAML 1.1 takes for booleans', async () => {
    const text = await shop.read('all/features/banner.yaml')
    expect(text).toMatch(
      /^# yaml-language-server: \$schema=\S*node_modules\/@burgee\/cli\/dist\/project\.schema\.json\n/
    )
    expect(text).toContain('status: "on"')
    expect(text).toContain('"on": 33.33333333%')
    expect(text).not.toMatch(/[0-9a-f]{24}/)
  })

  it('writes the members that files describe, and keeps their comments', async () => {
    await shop.write('mine/checkout.yaml', CHECKOUT)
    expect((await shop.run('apply FLAGS/mine --yes')).code).toBe(0)
    await shop.ask('updateFeature', {
      params: { feature: 'new-checkout' },
      body: { name: 'By hand', description: 'Not described.' }
    })
    expect((await shop.run('pull FLAGS/mine')).stdout).toBe('FLAGS/mine/checkout.yaml: features.new-checkout name\n')
    expect(await shop.read('mine/checkout.yaml')).toContain('# The checkout team owns this file.')
    expect(await shop.read('mine/checkout.yaml')).toContain('    name: By hand\n')
    expect(await shop.read('mine/checkout.yaml')).not.toContain('Not described.')
    expect((await shop.run('plan FLAGS/mine --detailed-exit-code')).code).toBe(0)
    expect((await shop.run('pull FLAGS/mine')).stdout).toBe('The files describe shop as it is.\n')
  })

  it('keeps the comments and the style of the values that it changes', async () => {
    const text = `burgee: 1
project: shop
features:
  banner:
    name: "Banner" # its name
    tags: [one] # its tags
`
    await shop.write('styled/banner.yaml', text)
    await shop.ask('updateFeature', {
      params: { feature: 'banner' },
      body: { name: 'By hand', tags: ['two', 'three'] }
    })
    expect((await shop.run('pull FLAGS/styled')).code).toBe(0)
    expect(await shop.read('styled/banner.yaml')).toBe(
      text.replace('"Banner"', '"By hand"').replace('[one]', '[two, three]')
    )
  })
})

describe('burgee export and import', () => {
  it('copies a project', async () => {
    const exported = await shop.run('export')
    expect(exported.code).toBe(0)
    expect((await shop.run('export')).stdout).toBe(exported.stdout)
    await shop.write('copy/shop.yaml', exported.stdout.replaceAll('production:', 'live:'))
    const imported = await shop.run('import FLAGS/copy --into copy --create-project --map live=production --yes')
    expect(imported.stdout).not.toMatch(/failed|skipped/)
    expect([imported.code, imported.stdout]).toEqual([0, expect.stringContaining('+ features.banner  done')])
    const text = (await shop.run('export --project copy')).stdout
    const withoutIds = (one: string) => one.replace(/project: \w+/, '').replace(/ +id: .*\n/g, '')
    const onlyShop = await shop.run('export --environments production --environments development')
    const onlyCopy = await shop.run('export --project copy --environments production --environments development')
    expect(text).toContain('staging')
    expect(withoutIds(onlyCopy.stdout)).toBe(withoutIds(onlyShop.stdout))
  })

  it('refuses a project that has features, unless they are merged', async () => {
    await shop.write('small/shop.yaml', 'burgee: 1\nfeatures:\n  banner: { description: Merged }\n')
    expect(await shop.run('import FLAGS/small --into shop --yes')).toMatchObject({ code: 6, stdout: '' })
    expect((await shop.run('import FLAGS/small --into shop --merge --yes')).code).toBe(0)
    expect((await shop.ask('getFeature', { params: { feature: 'banner' } })).description).toBe('Merged')
  })

  it('writes JSON, which plan reads', async () => {
    expect((await shop.run('export --out FLAGS/json --format json --split kind')).code).toBe(0)
    expect(JSON.parse(await shop.read('json/features.json'))).toMatchObject({ burgee: 1, project: 'shop' })
    expect((await shop.run('plan FLAGS/json --detailed-exit-code')).stdout).toContain('No changes')
  })
})
