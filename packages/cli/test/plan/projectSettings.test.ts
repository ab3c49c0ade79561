import { beforeAll, describe, expect, it } from 'vitest'
import { openShop, type Shop } from '../support/shop.ts'

let shop: Shop

beforeAll(async () => {
  shop = await openShop()
  await shop.write('settings.yaml', SETTINGS)
})

const SETTINGS = `burgee: 1
project: shop
features:
  search: { name: Search }
webhooks:
  Deploy log:
    url: https://hooks.example.com/deploys
    events: [enabledEnvironment, disabledEnvironment]
    environments: [production]
    feature: search
settings:
  staleness: { enabled: true, unmodifiedShort: { days: 30 } }
  featureApprovalWorkflow: { requiredApprovals: 2 }
  trustClientWrites: true
`

/** The members of the only webhook. */
async function webhook() {
  const [only] = await shop.ask('listWebhooks')
  return only
}

describe('webhooks and settings in files', () => {
  it('are created and changed by burgee apply, which leaves nothing to plan', async () => {
    const plan = await shop.run('plan FLAGS')
    expect(plan.stdout.split('\n')).toEqual([
      'Plan for shop on SERVER (FLAGS)',
      '  + features.search',
      '  + webhooks.Deploy log',
      '  ~ settings',
      '      trustClientWrites: false → true',
      '      featureApprovalWorkflow.requiredApprovals: 1 → 2',
      '      staleness.enabled: false → true',
      '      staleness.unmodifiedShort.days: none → 30',
      '2 to create, 1 to change.',
      ''
    ])
    expect(await shop.run('apply FLAGS --yes')).toMatchObject({
      code: 0,
      stdout: '  + features.search  done\n  + webhooks.Deploy log  done\n  ~ settings  done\n3 done.\n'
    })
    const { _environments, _feature, ...members } = await webhook()
    expect(members).toMatchObject({ name: 'Deploy log', url: 'https://hooks.example.com/deploys', enabled: true })
    expect([_environments.length, typeof _feature]).toEqual([1, 'string'])
    const { settings } = await shop.ask('getProject', { params: { key: 'shop' } })
    expect(settings).toMatchObject({
      trustClientWrites: true,
      staleness: { enabled: true, unmodifiedShort: { enabled: true, days: 30 } },
      featureApprovalWorkflow: { enabled: false, requiredApprovals: 2 }
    })
    expect((await shop.run('plan FLAGS --detailed-exit-code')).code).toBe(0)
  })

  it('leave other members alone, and report those that were changed by hand', async () => {
    const { _id: id } = await webhook()
    await shop.ask('updateWebhook', { params: { id }, body: { description: 'By hand.', events: ['killedFeature'] } })
    const settings = { obfuscation: { enabled: true }, staleness: { enabled: false } }
    await shop.ask('updateProject', {
      params: { key: 'shop' },
      body: { settings: { obfuscation: settings.obfuscation } }
    })
    await shop.ask('updateProtectedSettings', {
      params: { key: 'shop' },
      body: { settings: { staleness: settings.staleness } }
    })
    expect((await shop.run('plan FLAGS')).stdout.split('\n').slice(1, -1)).toEqual([
      '  ~ webhooks.Deploy log',
      '      events: ["killedFeature"] → ["disabledEnvironment","enabledEnvironment"]  (changed by hand since it was applied)',
      '  ~ settings',
      '      staleness.enabled: false → true  (changed by hand since it was applied)',
      '2 to change, 2 changed by hand, to put back.'
    ])
    expect((await shop.run('apply FLAGS --yes')).code).toBe(0)
    expect(await webhook()).toMatchObject({ _id: id, description: 'By hand.' })
    const after = await shop.ask('getProject', { params: { key: 'shop' } })
    expect(after.settings).toMatchObject({ obfuscation: { enabled: true }, staleness: { enabled: true } })
  })

  it('are written by burgee pull, and applying that changes nothing', async () => {
    await shop.ask('updateProtectedSettings', {
      params: { key: 'shop' },
      body: { settings: { staleness: { unmodifiedShort: { days: 20 } } } }
    })
    expect((await shop.run('pull FLAGS')).stdout).toBe('FLAGS/settings.yaml: settings staleness.unmodifiedShort.days\n')
    expect(await shop.read('settings.yaml')).toContain('days: 20')
    await shop.write('settings.yaml', SETTINGS)
    const exported = await shop.run('export')
    expect(exported.stdout).toContain('  Deploy log:\n    url: https://hooks.example.com/deploys')
    await shop.write('all/project.yaml', exported.stdout)
    expect((await shop.run('plan FLAGS/all --detailed-exit-code')).code).toBe(0)
  })

  it('are compared by a viewer, from whom servers mask addresses, by their origin', async () => {
    const body = { name: 'Viewer', clientId: 'viewer', roles: [{ role: 'viewer' }] }
    const { clientSecret } = await shop.ask('createApiClient', { body })
    const viewer = { BURGEE_TOKEN: '', BURGEE_CLIENT_ID: 'viewer', BURGEE_CLIENT_SECRET: clientSecret }
    await shop.write('one/file.yaml', SETTINGS.replace('days: 30', 'days: 20'))
    expect((await shop.run('plan FLAGS/one --detailed-exit-code', undefined, viewer)).code).toBe(0)
    await shop.write('one/file.yaml', SETTINGS.replace('hooks.example.com', 'other.example.com'))
    const { stdout } = await shop.run('plan FLAGS/one', undefined, viewer)
    expect(stdout).toContain('url: https://hooks.example.com/**** → https://other.example.com/****')
    expect((await shop.run('export', undefined, viewer)).stdout).not.toContain('hooks.example.com')
  })

  it('have only the origin of an address in plans, since the rest can contain a secret', async () => {
    const file = SETTINGS.replace('/deploys', '/a-secret?token=another-secret')
    await shop.write('secret/file.yaml', file)
    const text = await shop.run('plan FLAGS/secret --preview')
    expect(text.stdout).toContain(
      'url: https://hooks.example.com/**** → https://hooks.example.com/****  (another address with the same origin)'
    )
    const [change] = (await shop.json('plan FLAGS/secret')).changes
    const masked = 'https://hooks.example.com/****'
    expect(change.members).toEqual([{ path: 'url', before: masked, after: masked, isDrift: false }])
    const applied = await shop.run('apply FLAGS/secret', 'n')
    await shop.write('secret/file.yaml', file.replace('Deploy log', 'Another'))
    const created = [await shop.run('plan FLAGS/secret --json'), await shop.run('plan FLAGS/secret --markdown')]
    for (const { stdout, stderr } of [text, applied, ...created]) expect(stdout + stderr).not.toContain('secret?')
    await shop.write('secret/file.yaml', file.replace('https:', 'htps:'))
    const invalid = await shop.run('plan FLAGS/secret')
    expect(invalid).toMatchObject({ code: 2, stderr: expect.stringContaining('webhooks.Deploy log.url') })
    expect(invalid.stderr).not.toContain('secret?')
  })

  it('have their mistakes reported with their places, all at once', async () => {
    const wrong = `burgee: 1
project: shop
webhooks:
  Other: { environments: [prodction], feature: serch }
`
    await shop.write('wrong/file.yaml', wrong)
    const { code, stderr } = await shop.run('plan FLAGS/wrong')
    expect(code).toBe(2)
    expect(stderr).toContain('file.yaml:4:10: webhooks.Other does not exist yet: creating it needs url and events')
    expect(stderr).toContain('webhooks.Other.feature refers to feature "serch", which does not exist')
    expect(stderr.trim().split('\n')).toHaveLength(3)
    expect(stderr).toContain('webhooks.Other.environments refers to environment "prodction", which does not exist')
  })

  it('are deleted only when asked; settings stay', async () => {
    await shop.write(
      'settings.yaml',
      'burgee: 1\nproject: shop\nfeatures: { search: {} }\nmanage: { onRemoved: delete }\n'
    )
    await shop.write('all/project.yaml', 'burgee: 1\n')
    const removed = await shop.run('apply FLAGS/settings.yaml --allow-delete --yes')
    expect(removed).toMatchObject({ code: 0, stdout: '  - webhooks.Deploy log  done\n1 done.\n' })
    expect(removed.stderr).toContain('= settings  no longer in the files (kept: a project always has settings)')
    expect(await shop.ask('listWebhooks')).toEqual([])
  })

  it('are listed once, however many of them change', async () => {
    const write = (description: string) => {
      const lines = ['one', 'two', 'three'].map(
        (name) =>
          `  ${name}: { url: "https://hooks.example.com/${name}", events: [createdFeature], description: ${description} }\n`
      )
      return shop.write('many.yaml', `burgee: 1\nproject: shop\nwebhooks:\n${lines.join('')}`)
    }
    await write('before')
    expect((await shop.run('apply FLAGS/many.yaml --yes')).code).toBe(0)
    await write('after')
    const { code, stderr } = await shop.run('apply FLAGS/many.yaml --yes --debug')
    expect([code, stderr.match(/> GET \S+\/webhooks\?/g)?.length]).toEqual([0, 1])
    expect((await shop.run('plan FLAGS/many.yaml --detailed-exit-code')).code).toBe(0)
  })

  it('become a change request where the project requires approval', async () => {
    const body = { settings: { featureApprovalWorkflow: { enabled: true, requiredApprovals: 2 } } }
    await shop.ask('updateProtectedSettings', { params: { key: 'shop' }, body })
    const lower = 'burgee: 1\nproject: shop\nsettings: { featureApprovalWorkflow: { requiredApprovals: 1 } }\n'
    await shop.write('lower/file.yaml', lower)
    const first = await shop.run('apply FLAGS/lower --yes')
    expect(first).toMatchObject({ code: 8, stdout: expect.stringContaining('  ~ settings  change request: ') })
    expect((await shop.run('apply FLAGS/lower --yes')).stdout).toBe(first.stdout)
    const { settings } = await shop.ask('getProject', { params: { key: 'shop' } })
    expect(settings.featureApprovalWorkflow.requiredApprovals).toBe(2)
  })
})

describe('burgee plan --preview', () => {
  it('shows who would get another variation, and what the server would refuse, and changes nothing', async () => {
    const preview = await openShop()
    const file = (target: string) => `burgee: 1
project: shop
features:
  search:
    # Only the server checks JSON Schemas.
    variables: { limits: { type: JSON, schema: { schemaType: jsonSchema, jsonSchema: '{"required":["depth"]}', description: Limits, exampleValue: { depth: 1 } } } }
    variations: { a: { values: { limits: { depth: 1 } } }, b: { values: { limits: { depth: 2 } } } }
    environments: { development: { status: "on", targets: [{ name: All, for: everybody, serve: ${target} }] } }
`
    await preview.write('search.yaml', file('a'))
    expect((await preview.run('apply FLAGS --yes')).code).toBe(0)
    const before = await preview.ask('listAuditEntries')
    await preview.write('search.yaml', file('b'))
    const accepted = await preview.run('plan FLAGS --preview')
    expect(accepted.code).toBe(0)
    expect(accepted.stdout).toMatch(/in development, 100% of \d+ synthetic users would get another variation/)
    await preview.write('search.yaml', file('b').replace('depth: 2', 'height: 2'))
    const refused = await preview.run('plan FLAGS --preview')
    expect(refused).toMatchObject({
      code: 7,
      stdout: expect.stringMatching(/ {6}FLAGS\/[\w.]+:\d+:\d+: the server would refuse it: /)
    })
    expect(await preview.ask('listAuditEntries')).toEqual(before)
  })
})
