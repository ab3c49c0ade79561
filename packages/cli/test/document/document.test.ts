import { beforeAll, describe, expect, it } from 'vitest'
import { parse } from 'yaml'
import { projectSchema } from '../../src/document/jsonSchema.ts'
import { openShop, type Shop } from '../support/shop.ts'

let shop: Shop

const MANY = `burgee: 1
features:
  Bad Key: { name: A }
  search:
    variations: { "on": { name: "On" }, "off": { name: "Off" } }
    colour: red
    environments:
      prod: { status: "on" }
      production:
        targets:
          - { name: A, for: everybody, rollot: {}, serve: "on" }
          - { name: B, for: [{ type: audienceMatch, _audiences: [nobody] }], serve: "on" }
          - { name: C, for: everybody, serve: { "on": 50%, "off": 40% } }
          - { name: A, for: everybody, serve: "on" }
          - { name: D, for: 5, serve: of }
metrics:
  unread-metric: { nmae: A }
`

beforeAll(async () => {
  shop = await openShop()
})

describe('a mistake in a file', () => {
  it.each([
    ['burgee: 2', '1:9: burgee should be 1, got 2'],
    [
      'burgee: 1\nfeatures:\n  search: { nmae: Search }',
      '3:13: features.search.nmae is not known (did you mean name?)'
    ],
    [
      'burgee: 1\nvariables:\n  a: { type: String, schema: { schemaType: regex, regexPattern: a, enumValues: [a] } }',
      ': variables.a.schema.enumValues belongs to schemaType enum'
    ],
    ['burgee: 1\nfeature: {}', '2:1: feature is not known (did you mean features?)'],
    [
      'burgee: 1\nfeatures:\n  a:\n    status: { completed: x }',
      '4:15: features.a.status.completed is not known (did you mean complete?)'
    ],
    [
      'burgee: 1\nfeatures:\n  a: { environments: { production: { targets: [{ name: x, for: everybody, serve: b, rollot: {} }] } } }',
      '3:85: features.a.environments.production, target 1: rollot is not known (did you mean rollout?)'
    ],
    [
      'burgee: 1\naudiences:\n  a: { for: [{ type: user, subTyp: email, comparator: "=", values: [x] }] }',
      '3:28: audiences.a.for.0.subTyp is not known (did you mean subType?)'
    ],
    ['burgee: 1\naudiences:\n  a: { for: [{ type: usr }] }', '3:22: audiences.a.for.0.type should be one of '],
    [
      'burgee: 1\nmanage: { owner: x }',
      '2:11: manage.owner is not known: it should be one of label, ignore, onRemoved'
    ],
    ['burgee: 1\nburgee: 1', '2:1: the key "burgee" is repeated'],
    ['burgee: 1\nfeatures:\n  a:\n    description: *nope', 'wrong.yaml:4:18: there is no anchor "nope"\n'],
    ['burgee: 1\nproject: !what shop', 'burgee: FLAGS/wrong.yaml:2:16: tags such as !what are not allowed\n'],
    [`burgee: 1\nfeatures: ${'x'.repeat(5000)}`, `features should be an object, got "${'x'.repeat(79)}…\n`],
    ['burgee: 1\nproject: !!str shop', 'tags such as'],
    ['burgee: 1\nfeatures: [', '3:1: Flow sequence'],
    [
      'burgee: 1\nfeatures:\n  a: { environments: { production: { targets: [{ name: x, for: everybody, serve: { b: 20 } }] } } }',
      'features.a.environments.production, target 1: serve.b should be a percentage such as 20%'
    ],
    [
      'burgee: 1\nfeatures:\n  a: { environments: { production: { targets: [{ name: x, for: everybody, serve: { b: 20%, c: 30% } }] } } }',
      'features.a.environments.production, target 1: serve should add up to 100%, got 50%'
    ],
    [
      'burgee: 1\nfeatures:\n  a:\n    environments: { prodction: { status: "on" } }',
      '4:32: features.a.environments.prodction refers to environment "prodction", which does not exist (did you mean production?)'
    ],
    [
      'burgee: 1\naudiences:\n  a: { for: [{ type: audienceMatch, _audiences: [b] }] }\n  b: { for: [{ type: audienceMatch, _audiences: [a] }] }',
      'audiences.a.for refers to itself: a → b → a'
    ],
    [
      'burgee: 1\nproject: shop\nfeatures:',
      'wrong.yaml:3:10: features is empty: it should be an object, or be left out\n'
    ],
    ['burgee: 1\nfeatures: [a]', '2:11: features should be an object, got a list\n'],
    ['burgee: 1\nfeatures:\n  a: on', '3:6: features.a should be an object, got "on"\n'],
    ['burgee: 1\nfeatures:\n  a: { tags: beta }', 'features.a.tags should be a list, got "beta"\n'],
    [
      'burgee: 1\nfeatures:\n  a: { type: releas }',
      'features.a.type should be one of release, experiment, permission, ops'
    ],
    ['burgee: 1\nfeatures:\n  a: { status: 5 }', 'features.a.status should be an object, or one of active, archived\n'],
    [
      'burgee: 1\nfeatures:\n  a: { variables: { b: { persistent: 1, type: Boolean } } }',
      'persistent should be true or false, got 1\n'
    ],
    ['project: shop', 'burgee should be 1, got nothing'],
    ['burgee: 1\nfeatures:\n  Bad Key: {}', '3:3: features.Bad Key should have only a–z, 0–9, "-", "_" and "."'],
    ['burgee: 1\naudiences:\n  UPPER: {}', '3:3: audiences.UPPER should have only a–z'],
    [
      'burgee: 1\nfeatures:\n  a: { variables: { constructor: { type: Boolean } } }',
      '3:21: features.a.variables.constructor is a name that cannot be a key'
    ],
    ['burgee: 1\nfeatures:\n  __proto__: { name: A }', '3:3: __proto__ is a name that cannot be a key'],
    ['', 'wrong.yaml is empty: a file starts with "burgee: 1"; to write one, burgee pull\n'],
    [
      'burgee: 1\nfeatures:\n  a: { environments: { production: { targets: [{ name: x, for: 5, serve: b }] } } }',
      'for should be'
    ],
    ['burgee: 1\nproject: other\n---\n', 'document'],
    [
      `burgee: 1\nx0: &x0 [1]\n${[1, 2, 3, 4, 5, 6, 7, 8].map((n) => `x${n}: &x${n} [${Array(9).fill(`*x${n - 1}`)}]`).join('\n')}`,
      'has aliases that repeat others too often'
    ]
  ])('%j is reported with its place, and nothing is sent', async (text, message) => {
    await shop.write('wrong.yaml', `${text}\n`)
    const { code, stdout, stderr } = await shop.run('apply FLAGS/wrong.yaml --yes')
    expect([code, stdout, stderr]).toEqual([2, '', expect.stringContaining(message)])
    expect(stderr).not.toMatch(/expected|received|invalid_|Invalid/)
  })

  it.each([
    [
      'a misspelled property',
      '{ type: user, subType: emial, comparator: "=", values: [x] }',
      /^burgee: \S+wrong.yaml:3:37: audiences.a.for.0.subType should be one of .*, got "emial" \(did you mean email\?\)\n$/
    ],
    [
      'a country that does not exist',
      '{ type: user, subType: country, comparator: "=", values: [Canada] }',
      /^burgee: \S+wrong.yaml:3:72: audiences.a.for.0.values.0 .*\n$/
    ]
  ])('only the mistake itself is reported, and nothing that follows from it: %s', async (_name, filter, message) => {
    await shop.write('wrong.yaml', `burgee: 1\naudiences:\n  a: { for: [${filter}] }\n`)
    expect((await shop.run('plan FLAGS/wrong.yaml')).stderr).toMatch(message)
  })

  it.each(['plan', 'apply'])('all mistakes of files are reported in one run: %s', async (command) => {
    await shop.write('many/a.yaml', MANY)
    await shop.write('many/b.yaml', 'burgee: 1\nfeatures:\n  other: { metrics: [nowhere, unread-metric] }\n')
    const { code, stderr } = await shop.run(`${command} FLAGS/many`)
    expect([code, stderr.split('\n')]).toEqual([
      2,
      [
        'burgee: FLAGS/many/a.yaml:3:3: features.Bad Key should have only a–z, 0–9, "-", "_" and "."',
        '  FLAGS/many/a.yaml:6:5: features.search.colour is not known: it should be one of name, description, type, status, tags, maintainers, links, summary, visibility, optIn, control, variables, variations, metrics, environments',
        '  FLAGS/many/a.yaml:8:13: features.search.environments.prod refers to environment "prod", which does not exist',
        '  FLAGS/many/a.yaml:11:40: features.search.environments.production, target 1: rollot is not known (did you mean rollout?)',
        '  FLAGS/many/a.yaml:12:29: features.search.environments.production, target 2: for refers to audience "nobody", which does not exist',
        '  FLAGS/many/a.yaml:13:47: features.search.environments.production, target 3: serve should add up to 100%, got 90%',
        '  FLAGS/many/a.yaml:14:13: features.search.environments.production, target 4 is the second target "A": names should be unique',
        '  FLAGS/many/a.yaml:15:29: features.search.environments.production, target 5: for should be a list, or an object, or everybody',
        '  FLAGS/many/a.yaml:15:39: features.search.environments.production, target 5: serve refers to variation "of", which does not exist (did you mean on?)',
        '  FLAGS/many/a.yaml:17:20: metrics.unread-metric.nmae is not known (did you mean name?)',
        '  FLAGS/many/b.yaml:3:21: features.other.metrics refers to metric "nowhere", which does not exist',
        ''
      ]
    ])
  })

  it('reports what other files refer to, unless an unreadable file may describe it', async () => {
    await shop.write('cut/a.yaml', 'burgee: 1\nfeatures: [')
    await shop.write(
      'cut/b.yaml',
      'burgee: 1\nfeatures:\n  b: { metrics: [unread], environments: { prodction: { status: "on" } } }\n'
    )
    const { stderr } = await shop.run('plan FLAGS/cut')
    expect(stderr).toContain('cut/a.yaml:2:12: ')
    expect(stderr).toContain('cut/b.yaml:3:54: features.b.environments.prodction refers to environment "prodction"')
    expect(stderr).not.toContain('unread')
  })

  it('reports the mistakes of files without a server', async () => {
    await shop.write('alone.yaml', 'burgee: 1\nfeatures:\n  a: on\n')
    const { code, stderr } = await shop.run('plan FLAGS/alone.yaml --server http://127.0.0.1:9')
    expect([code, stderr]).toEqual([2, expect.stringContaining('alone.yaml:3:6: features.a should be an object')])
  })

  it('names both places of a resource that two files describe', async () => {
    await shop.write('two/a.yaml', 'burgee: 1\nfeatures:\n  search: { name: A }\n')
    await shop.write('two/b.yaml', 'burgee: 1\nfeatures:\n  search: { name: B }\n')
    expect((await shop.run('plan FLAGS/two')).stderr).toContain(
      'two/b.yaml:3:3: features.search is described in FLAGS/two/a.yaml:3:3 already'
    )
  })

  it('creates resources that are named like members of Object.prototype', async () => {
    await shop.write(
      'names.yaml',
      'burgee: 1\nwebhooks:\n  toString: { url: "https://example.com/hook", events: [modifiedFeature] }\n'
    )
    expect((await shop.run('plan FLAGS/names.yaml')).stdout).toContain('+ webhooks.toString')
  })

  it('says how to write the first file', async () => {
    expect(await shop.run('plan FLAGS/missing')).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('there is no file or folder')
    })
  })
})

describe('the JSON Schema for editors', () => {
  it('describes every section, and knows only their members', () => {
    const { properties, additionalProperties } = projectSchema() as {
      properties: Record<string, unknown>
      additionalProperties: boolean
    }
    expect(additionalProperties).toBe(false)
    expect(Object.keys(properties)).toEqual([
      '$schema',
      'burgee',
      'project',
      'customProperties',
      'audiences',
      'variables',
      'features',
      'metrics',
      'webhooks',
      'settings',
      'manage'
    ])
    expect(JSON.stringify(properties.features)).toContain('bucketingKey')
  })

  it('is printed by burgee schema', async () => {
    expect(JSON.parse((await shop.run('schema')).stdout)).toEqual(projectSchema())
  })
})

describe('an exported file', () => {
  const HOSTILE = 'line\n\u001b[2J\u009b31m\u202ecod.exe'

  it.each(['yaml', 'json'])('escapes what controls terminals, and can be read again: %s', async (format) => {
    const variable = { key: `hostile-${format}`, name: 'Hostile', type: 'String', description: HOSTILE }
    await shop.ask('createVariable', { body: variable })
    const { stdout } = await shop.run(`export --only variables --format ${format}`)
    expect(['\u001b', '\u009b', '\u202e'].filter((each) => stdout.includes(each))).toEqual([])
    expect(parse(stdout).variables[variable.key].description).toBe(HOSTILE)
  })
})
