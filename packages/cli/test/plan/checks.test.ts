import { beforeAll, describe, expect, it } from 'vitest'
import { openShop, type Shop } from '../support/shop.ts'

let shop: Shop

beforeAll(async () => {
  shop = await openShop()
  const carrier = (key: string, type: string, values: readonly [unknown, unknown]) => ({
    key,
    name: key,
    variables: [{ key: `${key}-text`, type }],
    variations: ['on', 'off'].map((name, index) => ({ key: name, name, variables: { [`${key}-text`]: values[index] } }))
  })
  await shop.ask('createFeature', { body: carrier('owner', 'String', ['a', 'b']) })
  await shop.ask('createFeature', { body: carrier('gone', 'String', ['a', 'b']) })
  await shop.ask('updateFeatureStatus', { params: { feature: 'gone' }, body: { status: 'archived' } })
  const schema = { schemaType: 'enum', enumValues: ['red', 'green'], description: 'Ours', exampleValue: 'red' }
  const colour = { key: 'colour', type: 'String', validationSchema: schema }
  const variations = [{ key: 'on', name: 'On', variables: { colour: 'red' } }]
  await shop.ask('createFeature', { body: { key: 'coloured', name: 'Coloured', variables: [colour], variations } })
  await shop.ask('createVariable', { body: { key: 'free', name: 'Free', type: 'Number' } })
})

const ON = 'variations: { "on": { values: { v2: x } }, "off": { values: { v2: 5 } } }'

describe('what apply would refuse is reported by plan', () => {
  it.each([
    [
      'a value of another type in a new feature',
      `  new:\n    variables: { v2: { type: Number } }\n    ${ON}`,
      ['5:41: features.new.variations.on.values.v2 should be a number, got "x"']
    ],
    [
      'a variable of another feature',
      '  new:\n    variables: { owner-text: { type: String } }',
      ['4:30: features.new.variables.owner-text belongs to feature "owner": a variable belongs to one feature at most']
    ],
    [
      'a variable of two features of the files',
      '  one:\n    variables: { both: { type: String } }\n  two:\n    variables: { both: { type: String } }',
      [
        '6:24: features.two.variables.both is described in feature "one" already: a variable belongs to one feature at most'
      ]
    ],
    [
      'a free variable of another type',
      '  new:\n    variables: { free: { type: String } }',
      ['4:24: features.new.variables.free exists with type Number: it cannot be added with type String']
    ],
    [
      'another type of a variable, which its values do not have',
      '  owner:\n    variables: { owner-text: { type: Number } }\n    variations: { "on": { values: { owner-text: 1 } } }',
      [
        '4:38: features.owner.variables.owner-text.type cannot become Number: variation "off" has the value "b", which is not a number'
      ]
    ],
    [
      'a value of another type in a variation of an existing feature',
      '  owner:\n    variations: { "on": { values: { owner-text: true } } }',
      ['4:49: features.owner.variations.on.values.owner-text should be a string, got true']
    ],
    [
      'a value outside of an enum',
      '  coloured:\n    variations: { "on": { values: { colour: pink } } }',
      ['4:45: features.coloured.variations.on.values.colour should be one of "red", "green", got "pink"']
    ],
    [
      'a value that a pattern of the files excludes',
      `  new:\n    variables: { v3: { type: String, schema: { schemaType: regex, regexPattern: "^a", description: "", exampleValue: a } } }\n    variations: { "on": { values: { v3: b } } }`,
      ['5:41: features.new.variations.on.values.v3 should match "^a", got "b"']
    ],
    [
      'patterns and examples of schemas',
      `  new:
    variables:
      v3: { type: String, schema: { schemaType: regex, regexPattern: "^([", description: x, exampleValue: x } }
      v4: { type: String, schema: { schemaType: enum, enumValues: [a], description: x, exampleValue: b } }`,
      [
        '5:70: features.new.variables.v3.schema.regexPattern should be a regular expression of RE2, got "^(["',
        '6:102: features.new.variables.v4.schema.exampleValue should be one of "a", got "b"'
      ]
    ],
    [
      'a value for a variable of another feature',
      '  coloured:\n    variations: { "on": { values: { owner-text: x } } }',
      ['4:49: features.coloured.variations.on.values.owner-text refers to variable "owner-text" of feature "owner"']
    ],
    [
      'a value for a variable without a feature',
      '  coloured:\n    variations: { "on": { values: { free: 1 } } }',
      [
        '4:43: features.coloured.variations.on.values.free refers to variable "free", which belongs to no feature: add it to the variables of this feature'
      ]
    ],
    [
      'a variation that is similar to none',
      '  coloured:\n    control: q',
      ['4:14: features.coloured.control refers to variation "q", which does not exist']
    ]
  ])('%s', async (_name, features, lines) => {
    await shop.write('wrong.yaml', `burgee: 1\nfeatures:\n${features}\n`)
    for (const command of [
      'plan FLAGS/wrong.yaml',
      'plan FLAGS/wrong.yaml --preview',
      'apply FLAGS/wrong.yaml --yes'
    ]) {
      const { code, stdout, stderr } = await shop.run(command)
      const expected = lines
        .map((line, index) => `${index === 0 ? 'burgee: ' : '  '}FLAGS/wrong.yaml:${line}\n`)
        .join('')
      expect([code, stdout, stderr]).toEqual([2, '', expected])
    }
  })

  it.each([
    ['a variable of an archived feature', '  new-a:\n    variables: { gone-text: { type: String } }'],
    [
      'another type with values of it',
      '  owner:\n    variables: { owner-text: { type: Number } }\n    variations: { "on": { values: { owner-text: 1 } }, "off": { values: { owner-text: 2 } } }'
    ],
    ['a free variable', '  new-b:\n    variables: { free: { type: Number } }']
  ])('%s is no mistake', async (_name, features) => {
    await shop.write('right.yaml', `burgee: 1\nfeatures:\n${features}\n`)
    expect(await shop.run('apply FLAGS/right.yaml --yes')).toMatchObject({ code: 0 })
  })
})
