import { runs, seed } from '@burgee/testing/scale'
import fc from 'fast-check'
import { beforeAll, expect, test } from 'vitest'
import { formatFile } from '../../src/document/write/formatFile.ts'
import { openShop, type Shop } from '../support/shop.ts'

let shop: Shop

beforeAll(async () => {
  shop = await openShop()
})

const numRuns = runs({ quick: 2, full: 6 })

const keys = ['alpha', 'beta', 'gamma'] as const
const key = fc.constantFrom(...keys)
const text = fc.constantFrom('One', 'on', 'null', 'Two: #2', '"quoted"', '1.0')
const percentage = fc.integer({ min: 0, max: 10_000 }).map((number) => number / 10_000)

const operator = fc.oneof(
  fc.constant({ operator: 'and', filters: [{ type: 'all' }] }),
  fc.record({
    operator: fc.constantFrom('and', 'or'),
    filters: fc.array(
      fc.record({
        type: fc.constant('user'),
        subType: fc.constant('country'),
        comparator: fc.constantFrom('=', '!='),
        values: fc.uniqueArray(fc.constantFrom('CA', 'US', 'NO'), { minLength: 1 })
      }),
      { minLength: 1, maxLength: 3 }
    )
  })
)

const target = fc.record(
  {
    name: text,
    for: operator,
    serve: fc.oneof(
      fc.constantFrom({ on: 1 }, { off: 1 }),
      percentage
        .filter((share) => share > 0 && share < 1)
        .map((share) => ({ on: share, off: Number((1 - share).toFixed(10)) }))
    ),
    rollout: fc.record({
      type: fc.constant('stepped'),
      startDate: fc.constant('2026-03-01T12:00:00.000Z'),
      startPercentage: percentage,
      stages: fc.constant([{ type: 'discrete', percentage: 1, date: '2026-03-08T12:00:00.000Z' }])
    }),
    bucketingKey: fc.constant('account')
  },
  { requiredKeys: ['name', 'for', 'serve'] }
)

const targets = fc.uniqueArray(target, { selector: ({ name }) => name, minLength: 1, maxLength: 3 })

/** A feature can be on only where it has targets. */
const configuration = fc.oneof(
  fc.constant({ status: 'off' }),
  targets.map((list) => ({ targets: list })),
  fc.tuple(fc.constantFrom('on', 'off'), targets).map(([status, list]) => ({ status, targets: list }))
)

/** A feature as a file describes it: variables and variations, and any part of everything else. */
const feature = fc
  .record(
    {
      name: text,
      description: text,
      tags: fc.uniqueArray(text, { maxLength: 2 }),
      summary: text,
      visibility: fc.record({ client: fc.boolean(), mobile: fc.boolean() }, { requiredKeys: [] }),
      environments: fc.record({ production: configuration, development: configuration }, { requiredKeys: [] }),
      control: fc.constantFrom('on', 'off')
    },
    { requiredKeys: [] }
  )
  .map((members) => ({ members }))

const described = fc.dictionary(key, fc.tuple(feature, fc.boolean(), fc.boolean()), { maxKeys: 3 }).map((features) =>
  Object.fromEntries(
    Object.entries(features).map(([name, [{ members }, first, second]]) => [
      name,
      {
        ...members,
        variables: { [`${name}.value`]: { type: 'Boolean' } },
        variations: {
          on: { name: 'On', values: { [`${name}.value`]: first } },
          off: { values: { [`${name}.value`]: second } }
        }
      }
    ])
  )
)

/** A change by hand, of a member that files may describe or not. */
const edit = fc.tuple(
  key,
  fc.constantFrom(
    { name: 'By hand' },
    { description: 'By hand' },
    { tags: ['by-hand'] },
    { sdkVisibility: { client: false } },
    { configurations: { production: { targets: [], status: 'inactive' } } },
    { configurations: { development: { status: 'inactive' } } },
    { controlVariation: 'off' }
  )
)

type Features = Record<string, Record<string, unknown>>

/** The state of the project, as an export has it. */
async function exported(): Promise<Features> {
  return (JSON.parse((await shop.run('export --format json')).stdout).features ?? {}) as Features
}

async function write(features: object): Promise<void> {
  const document = { features: features as never }
  await shop.write('flags.yaml', formatFile(document, { project: 'shop', schema: 'schema.json' }, 'yaml'))
}

/** The members that a change by hand concerns, in the form of the files. */
const concerned: Readonly<Record<string, string>> = {
  name: 'name',
  description: 'description',
  tags: 'tags',
  controlVariation: 'control'
}

test('whatever files describe and people change, apply leaves nothing to plan, and leaves other members alone', async () => {
  const property = fc.asyncProperty(
    described,
    fc.array(edit, { maxLength: 4 }),
    described,
    async (one, edits, other) => {
      for (const { key: name } of await shop.ask('listFeatures'))
        await shop.ask('deleteFeature', { params: { feature: name } })
      for (const { key: name } of await shop.ask('listVariables'))
        await shop.ask('deleteVariable', { params: { key: name } })
      await write(one)
      expect(await shop.run('apply FLAGS/flags.yaml --yes')).toMatchObject({ code: 0 })
      expect(await shop.run('plan FLAGS/flags.yaml --detailed-exit-code')).toMatchObject({ code: 0 })

      const edited = edits.filter(([name]) => name in one)
      for (const [name, body] of edited) await shop.ask('updateFeature', { params: { feature: name }, body })
      const before = await exported()
      await write(other)
      expect(await shop.run('apply FLAGS/flags.yaml --yes')).toMatchObject({ code: 0 })
      expect(await shop.run('plan FLAGS/flags.yaml --detailed-exit-code')).toMatchObject({ code: 0 })
      expect((await shop.json('apply FLAGS/flags.yaml --yes')).items).toEqual([])

      const after = await exported()
      for (const [name, body] of edited) {
        for (const member of Object.keys(body).flatMap((changed) => concerned[changed] ?? [])) {
          // The files do not describe it any more, or never did: it is as the person left it.
          if (!(member in (other[name] ?? {}))) expect(after[name]?.[member]).toEqual(before[name]?.[member])
        }
      }
      const pulled = await shop.run('pull FLAGS/flags.yaml')
      expect(pulled).toMatchObject({ code: 0, stdout: 'The files describe shop as it is.\n' })
    }
  )
  await fc.assert(property, { seed, numRuns, endOnFailure: true })
})
