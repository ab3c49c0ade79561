import { call } from '@burgee/testing/harness'
import { beforeAll, describe, expect, it } from 'vitest'
import { openShop, type Shop } from '../support/shop.ts'

let shop: Shop

beforeAll(async () => {
  shop = await openShop()
  const filters = { operator: 'and', filters: [{ type: 'user', subType: 'country', comparator: '=', values: ['CA'] }] }
  await shop.ask('createAudience', { body: { key: 'canada', name: 'Canada', filters } })
  const audience = { filters: { operator: 'and', filters: [{ type: 'audienceMatch', _audiences: ['canada'] }] } }
  const targets = [{ audience, distribution: [{ _variation: 'variation-on', percentage: 1 }] }]
  await shop.ask('createFeature', {
    body: {
      key: 'search',
      name: 'Search',
      configurations: { production: { status: 'active', targets }, development: { targets } }
    }
  })
  await shop.ask('createFeature', { body: { key: 'quiet', name: 'Quiet' } })
  const everyone = {
    audience: { filters: { operator: 'and', filters: [{ type: 'all' }] } },
    distribution: [{ _variation: 'variation-on', percentage: 1 }]
  }
  const states = [
    ['finished', { status: 'complete', staticVariation: 'variation-on' }],
    ['gone', { status: 'archived' }]
  ] as const
  for (const [key, status] of states) {
    const configurations = { production: { status: 'active', targets: [everyone] } }
    await shop.ask('createFeature', { body: { key, name: key, configurations } })
    await shop.ask('updateFeatureStatus', { params: { feature: key }, body: status })
  }
})

const statusIn = async (environment: string) => {
  const [{ status }] = await shop.ask('listFeatureConfigurations', {
    params: { feature: 'search' },
    query: { environment }
  })
  return status
}

const audienceFlag = '{"operator":"and","filters":[{"type":"all"}]}'

it('does not complete a feature that code reads, and says so before it asks for confirmation', async () => {
  const reference = { fileName: 'a.ts', lineNumbers: { start: 1, end: 1 } }
  const place = { source: 'cli', repo: 'shop/web', branch: 'main' }
  await shop.ask('updateCodeUsages', { body: { ...place, variables: [{ key: 'search', references: [reference] }] } })
  const { code, stdout, stderr } = await shop.run(
    'features status search --status complete --static-variation variation-on',
    () => expect.unreachable('no question')
  )
  expect([code, stdout]).toEqual([6, ''])
  expect(stderr).toContain(
    'code still reads variables of feature "search": a.ts (line 1) in shop/web (main). Remove these reads'
  )
  expect(stderr).toContain('--ignore-code-usages')
  expect(stderr).toContain('\nTo list these reads: burgee code-usages list --feature search --current\n')
  const listed = await shop.run('code-usages list --feature search --current')
  expect(listed.stdout).toMatch(/^KEY +REPO +BRANCH +REFERENCES\nsearch +shop\/web +main +1\n$/)
  await shop.ask('updateCodeUsages', { body: { ...place, variables: [] } })
})

describe('a command of an operation that changes production', () => {
  it.each([
    [
      'targeting update search --environment production --status inactive',
      ['search in production:', '  Turned off.'],
      'Change search in production?'
    ],
    [
      'features update search --configurations {"production":{"status":"inactive"}}',
      ['search in production:', '  Turned off.'],
      'Change search in production?'
    ],
    [
      'features status search --status complete --static-variation variation-off',
      [
        'search in production:',
        '  Before: Users where audience is Canada get “Variation On”; everyone else gets the default values.',
        '  After: Complete: everyone gets “Variation Off”.'
      ],
      'Change search in production?'
    ],
    [
      'features status search --status archived',
      [
        'search in production:',
        '  Before: Users where audience is Canada get “Variation On”; everyone else gets the default values.',
        '  After: Archived: applications use their default values.'
      ],
      'Change search in production?'
    ],
    [
      'features static update finished --variables {"finished":false}',
      [
        'finished, which is on in production:',
        '  Variation On (variation-on), finished: true → false',
        '  In production: Complete: everyone gets “Variation On”.'
      ],
      'Change finished in production?'
    ],
    [
      'features static update finished --environments {"production":"inactive"}',
      ['finished in production:', '  Turned off.'],
      'Change finished in production?'
    ],
    [
      'features status gone --status active',
      [
        'gone in production:',
        '  Before: Archived: applications use their default values.',
        '  After: Everyone gets “Variation On”.'
      ],
      'Change gone in production?'
    ],
    [
      'features kill search',
      [
        'search in production:',
        '  Before: Users where audience is Canada get “Variation On”; everyone else gets the default values.',
        '  After: Off: applications use their default values.'
      ],
      'Turn a feature off in all environments: search in project shop on SERVER?'
    ],
    [
      'flags kill search',
      [
        'search in production:',
        '  Before: Users where audience is Canada get “Variation On”; everyone else gets the default values.',
        '  After: Off: applications use their default values.'
      ],
      'Turn search off in all environments of shop?'
    ],
    [
      'features delete search',
      [
        'search in production:',
        '  Before: Users where audience is Canada get “Variation On”; everyone else gets the default values.',
        '  After: Deleted: applications use their default values.'
      ],
      'Delete a feature: search in project shop on SERVER?'
    ],
    [
      'manifest archive-flag search',
      [
        'search in production:',
        '  Before: Users where audience is Canada get “Variation On”; everyone else gets the default values.',
        '  After: Archived: applications use their default values.'
      ],
      'Archive a flag of the manifest: search in project shop on SERVER?'
    ],
    [
      'environments delete production',
      [
        'environment production:',
        '  Its SDK keys stop working: applications use their default values.',
        '  2 flags on there: finished, search'
      ],
      'Delete an environment: production in project shop on SERVER?'
    ],
    [
      'projects settings update --settings {"disablePassthroughRollouts":true}',
      [
        'project shop, in all environments, also in production:',
        '  Before: users whom the rollout of a target does not include get the next target that matches.',
        '  After: they get the default values.'
      ],
      'Change the settings of shop?'
    ],
    [
      'variables create --key limit --type Number --feature search --default-value 5',
      ['search, which is on in production:', '  value of the new variable limit instead of the default in code: 5'],
      'Change search in production?'
    ],
    [
      'variations update variation-on --feature search --variables {"search":false}',
      [
        'search, which is on in production:',
        '  Variation On (variation-on), search: true → false',
        '  In production: Users where audience is Canada get “Variation On”; everyone else gets the default values.'
      ],
      'Change search in production?'
    ],
    [
      'features update-many --action disable --environment production --features search',
      [/^KEY +OUTCOME/, /^search +would change +disabled environment$/],
      'Turn 1 feature off in production?'
    ],
    [
      'features update-many --action archive --features search --features quiet',
      [/^KEY +OUTCOME/, /^search +would change/, /^quiet +would change/],
      'Archive 2 features?'
    ],
    [
      'features update search --key find',
      ['search, which is on in production:', '  key: search → find'],
      'Change search in production?'
    ],
    [
      'variables update search --key find',
      ['search, which is on in production:', '  variable search changes: {"key":"find"}'],
      'Change search in production?'
    ],
    [
      'variables update search --metadata {"owner":"search"}',
      ['search, which is on in production:', '  variable search changes: {"metadata":{"owner":"search"}}'],
      'Change search in production?'
    ],
    [
      'variables status search --status archived',
      ['search, which is on in production:', '  variable search changes: {"status":"archived"}'],
      'Change search in production?'
    ],
    [
      'environments update production --type development',
      ['environment production:', '  type: production → development'],
      'Change environment production?'
    ],
    [
      'features create --key loud --name Loud --configurations {"production":{"status":"active"}}',
      ['loud in production:', '  Turned on.'],
      'Create loud, on in production?'
    ],
    [
      'promotions create --from {"environment":"development"} --to [{"environment":"production"}] --features search --include status --preview false --digest AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA',
      [/^KEY +OUTCOME/, /^search +would change/],
      'Promote to production?'
    ],
    [
      `audiences update canada --filters ${audienceFlag}`,
      ['Audience canada decides who gets:', '  search in production'],
      'Change audience canada?'
    ]
  ])('is shown, and not made without a confirmation: burgee %s', async (line, shown, question) => {
    const before = await shop.ask('listAuditEntries')
    for (const answer of [undefined, 'n']) {
      const { code, stdout, stderr } = await shop.run(line, answer)
      expect([code, stdout]).toEqual([11, ''])
      const expected = shown.map((text) => (typeof text === 'string' ? text : expect.stringMatching(text)))
      expect(stderr.split('\n').slice(0, shown.length)).toEqual(expected)
      const [, asked] =
        /nothing was changed: "(.*)" needs a confirmation; repeat the command with --yes/.exec(stderr) ?? []
      if (answer === undefined) expect(asked).toBe(question)
    }
    expect(await shop.ask('listAuditEntries')).toEqual(before)
  })

  it('is made after a confirmation, and with --yes', async () => {
    const off = 'targeting update search --environment production --status inactive'
    expect((await shop.run(off, 'y')).code).toBe(0)
    expect(await statusIn('production')).toBe('inactive')
    expect(await shop.run(`${off.replace('inactive', 'active')} --yes`)).toMatchObject({ code: 0, stderr: '' })
    expect(await statusIn('production')).toBe('active')
  })

  it('is not made if the feature has changed since it was shown', async () => {
    const rename = async () => {
      await call(shop.server, 'updateFeature', {
        params: { project: 'shop', feature: 'search' },
        body: { name: 'Renamed' }
      })
      return 'y'
    }
    const line = 'targeting update search --environment production --status inactive'
    expect(await shop.run(line, rename)).toMatchObject({ code: 6, stdout: '' })
    expect(await statusIn('production')).toBe('active')
  })

  it.each([
    'targeting update search --environment development --status active',
    'targeting update search --environment production --status active',
    'features update search --name Searching',
    'variables update search --description Found',
    'environments update production --description Live',
    'environments update development --type staging',
    'features status quiet --status archived',
    'audiences update canada --name Canadians',
    'features update-many --action disable --environment development --features search',
    'features update-many --action addTags --tags found --features search',
    'features update-many --action archive --features search --dry-run',
    'features status search --status archived --dry-run',
    'features delete search --dry-run',
    `features create --key calm --name Calm --configurations {"development":{"status":"active","targets":[{"audience":{"filters":${audienceFlag}},"distribution":[{"_variation":"variation-on","percentage":1}]}]}}`,
    'promotions create --from {"environment":"development"} --to [{"environment":"production"}] --features search'
  ])('does not ask if users of production get the same: burgee %s', async (line) => {
    expect(await shop.run(line)).toMatchObject({ code: 0, stderr: '' })
  })
})
