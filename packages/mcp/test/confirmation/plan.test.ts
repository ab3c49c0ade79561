import type { Environment, Feature, UpdateFeature, Variable } from '@burgee/contract/schemas'
import { Feature as FeatureSchema } from '@burgee/contract/schemas'
import { call, type TestServer } from '@burgee/testing/harness'
import fc from 'fast-check'
import { beforeAll, describe, expect, it, test } from 'vitest'
import { planCreateFeature } from '../../src/plan/createFeature.ts'
import { planCreateVariable } from '../../src/plan/createVariable.ts'
import { planDeleteFeature } from '../../src/plan/deleteFeature.ts'
import { planDeleteVariable } from '../../src/plan/deleteVariable.ts'
import type { Change } from '../../src/plan/diff/change.ts'
import { diff } from '../../src/plan/diff/diff.ts'
import { featureTree } from '../../src/plan/diff/featureTree.ts'
import { planClearOverride, planSetOverride } from '../../src/plan/override.ts'
import type { Plan } from '../../src/plan/plan.ts'
import { isOfType } from '../../src/plan/state/applyUpdate.ts'
import { featureState } from '../../src/plan/state/featureState.ts'
import { planUpdateFeature } from '../../src/plan/updateFeature.ts'
import { planUpdateFeatureStatus } from '../../src/plan/updateFeatureStatus.ts'
import { planUpdateVariable } from '../../src/plan/updateVariable.ts'
import { openShop } from '../support/shop.ts'

const at = '2026-03-01T12:00:00.000Z'
const stamps = { createdAt: at, updatedAt: at, _project: 'shop' }
const id = (letter: string) => letter.repeat(24)

const environments = (['lab', 'production', 'spare'] as const).map((key, index) => {
  const type = ({ lab: 'development', production: 'production', spare: 'disaster_recovery' } as const)[key]
  const sdkKeys = { server: [{ key: 'server-very-secret', createdAt: at, compromised: false, compromised_url: '' }] }
  return { ...stamps, _id: id(String(index)), key, name: key, type, sdkKeys, readonly: false }
}) as unknown as Environment[]

const allUsers = { operator: 'and', filters: [{ type: 'all' }] } as const
const target = {
  _id: id('a'),
  name: 'All Users',
  audience: { filters: allUsers },
  distribution: [{ _variation: id('e'), percentage: 1 }]
}

/** A feature that is on only in production. */
const feature = {
  ...stamps,
  _id: id('f'),
  key: 'checkout',
  name: 'Checkout',
  source: 'api',
  status: 'active',
  type: 'release',
  tags: ['web'],
  readonly: false,
  controlVariation: 'on',
  settings: { publicName: '', publicDescription: '', optInEnabled: false },
  sdkVisibility: { mobile: true, client: true, server: true },
  summary: { maintainers: [], links: [], markdown: '' },
  variables: [
    { ...stamps, _id: id('b'), key: 'steps', type: 'Number', status: 'active', source: 'api' },
    { ...stamps, _id: id('c'), key: 'title', type: 'String', status: 'active', source: 'api' }
  ],
  variations: [
    { _id: id('e'), key: 'on', name: 'On', variables: { steps: 1, title: 'Pay' } },
    { _id: id('d'), key: 'off', name: 'Off', variables: { steps: 3, title: 'Next' } }
  ],
  configurations: environments.map(({ _id, key }) => {
    const isOn = key === 'production'
    const computed = { readonly: false, hasStaticConfig: false, _feature: id('f') }
    return { _environment: _id, status: isOn ? 'active' : 'inactive', targets: isOn ? [target] : [], ...computed }
  })
} as unknown as Feature

const approvals = (enabled: boolean, allowPublisherBypass = false) => ({
  settings: { featureApprovalWorkflow: { enabled, allowPublisherBypass, defaultReviewers: [] } } as never
})
const around = { feature, environments, project: approvals(false) }
/** Changes without their descriptions, which formatPlan.test.ts covers. */
const dataOf = (changes: readonly Change[]) => {
  return changes.map(({ label: _, environment: __, fromText: ___, toText: ____, ...data }) => data)
}
const reach = ({ environments }: Plan) => environments.map(({ key }) => key)

describe('update_feature', () => {
  const [on, off] = feature.variations as [object, object]
  const removedTarget = { name: 'All Users', audience: target.audience, distribution: { on: 1 } }

  const table: [string, UpdateFeature, Change[], string[]][] = [
    ['nothing', {}, [], []],
    ['what is there already', { name: 'Checkout', tags: ['web'], variations: [on, off] as never }, [], []],
    ['its name', { name: 'Cart' }, [{ path: 'name', from: 'Checkout', to: 'Cart' }], []],
    ['its tags', { tags: [] }, [{ path: 'tags', from: ['web'], to: [] }], []],
    [
      'who sees it',
      { sdkVisibility: { mobile: false } },
      [{ path: 'sdkVisibility.mobile', from: true, to: false }],
      ['production']
    ],
    [
      'a value',
      { variations: [{ key: 'on', name: 'On', variables: { steps: 2 } }, off] as never },
      [{ path: 'variations.on.variables.steps', from: 1, to: 2 }],
      ['production']
    ],
    [
      'the key of a variation, which its targets follow',
      { variations: [{ _id: id('e'), key: 'single', name: 'On' }, off] as never },
      [
        { path: 'variations.on.key', from: 'on', to: 'single' },
        { path: 'controlVariation', from: 'on', to: 'single' }
      ],
      ['production']
    ],
    [
      'the order of its variations',
      { variations: [off, on] as never },
      [{ path: 'variations (order)', from: ['on', 'off'], to: ['off', 'on'] }],
      ['production']
    ],
    [
      'a list of variations that leaves one out',
      { variations: [on] as never },
      [{ path: 'variations.off', from: { key: 'off', name: 'Off', variables: { steps: 3, title: 'Next' } } }],
      ['production']
    ],
    [
      'a list of variables that leaves one out and has a new one',
      {
        variables: [
          { key: 'steps', type: 'Number' },
          { key: 'wide', type: 'Boolean', defaultValue: true }
        ]
      },
      [
        { path: 'variations.on.variables.title', from: 'Pay' },
        { path: 'variations.on.variables.wide', to: true },
        { path: 'variations.off.variables.title', from: 'Next' },
        { path: 'variations.off.variables.wide', to: true },
        { path: 'variables.title', from: { key: 'title', type: 'String' } },
        { path: 'variables.wide', to: { key: 'wide', type: 'Boolean' } }
      ],
      ['production']
    ],
    [
      'turning off',
      { configurations: { production: { status: 'inactive' } } },
      [{ path: 'configurations.production.status', from: 'active', to: 'inactive' }],
      ['production']
    ],
    [
      'the share of a target that keeps its id, and what users do not notice',
      {
        configurations: {
          [environments[1]?._id ?? '']: {
            targets: [
              {
                ...target,
                distribution: [
                  { _variation: 'on', percentage: 0.5 },
                  { _variation: id('d'), percentage: 0.5 }
                ]
              }
            ]
          },
          lab: {
            targets: [
              { name: 'Me', audience: { filters: allUsers }, distribution: [{ _variation: 'on', percentage: 1 }] }
            ]
          }
        }
      },
      [
        {
          path: 'configurations.production.targets[0] "All Users".distribution',
          from: { on: 1 },
          to: { on: 0.5, off: 0.5 }
        },
        {
          path: 'configurations.lab.targets[0] "Me"',
          to: { name: 'Me', audience: { filters: allUsers }, distribution: { on: 1 } }
        }
      ],
      ['production']
    ],
    [
      'a target that comes back without its id',
      {
        configurations: {
          production: { targets: [{ ...removedTarget, distribution: [{ _variation: 'on', percentage: 1 }] }] }
        }
      },
      [
        { path: 'configurations.production.targets[0] "All Users"', from: removedTarget },
        { path: 'configurations.production.targets[0] "All Users"', to: removedTarget }
      ],
      ['production']
    ],
    ['no targets any more where it is off', { configurations: { lab: { status: 'inactive', targets: [] } } }, [], []]
  ]

  test.each(table)('%s', (_, body, changes, environments) => {
    const effect = planUpdateFeature(body, around)
    expect(dataOf(effect.changes)).toEqual(changes)
    expect(changes.length === 0 ? [] : reach(effect)).toEqual(environments)
  })

  it('describes losses, and when it becomes a change request', () => {
    const body: UpdateFeature = {
      variations: [on] as never,
      variables: [],
      configurations: { production: { targets: [] } }
    }
    const { summary } = planUpdateFeature(body, { ...around, project: approvals(true) })
    expect(summary).toMatch(/It loses 1 variation, 2 variables, 1 target\./)
    expect(summary).toMatch(/It becomes a change request, and takes effect only after another person approves it\.$/)
    expect(planUpdateFeature(body, { ...around, project: approvals(true, true) }).summary).toMatch(
      /Unless the person can/
    )
    expect(planUpdateFeature(body, around).summary).not.toMatch(/change request/)
  })

  it('changes with the version of the feature', () => {
    const later = { ...around, feature: { ...feature, updatedAt: '2026-03-02T12:00:00.000Z' } }
    expect(planUpdateFeature({ name: 'X' }, later).version).not.toBe(planUpdateFeature({ name: 'X' }, around).version)
  })

  it('fails for an unknown environment', () => {
    expect(() => planUpdateFeature({ configurations: { 'pro"d': {} } }, around)).toThrow(/got "pro\\"d"$/)
  })
})

describe('update_feature_status', () => {
  const everybody = { name: 'All Users', audience: { filters: allUsers } }

  it('completes: serves one variation everywhere, and removes the targets', () => {
    const effect = planUpdateFeatureStatus({ status: 'complete', staticVariation: id('d') }, around)
    expect(dataOf(effect.changes)).toEqual([
      { path: 'status', from: 'active', to: 'complete' },
      { path: 'staticVariation', to: 'off' },
      { path: 'configurations.production.targets[0] "All Users"', from: { ...everybody, distribution: { on: 1 } } },
      ...['production', 'spare', 'lab'].map((key) => {
        return { path: `configurations.${key}.targets[0] "All Users"`, to: { ...everybody, distribution: { off: 1 } } }
      })
    ])
    expect(reach(effect)).toEqual(['production'])
  })

  it('archives and reactivates', () => {
    const effect = planUpdateFeatureStatus({ status: 'archived' }, around)
    expect([dataOf(effect.changes), reach(effect)]).toEqual([
      [{ path: 'status', from: 'active', to: 'archived' }],
      ['production']
    ])
    expect(planUpdateFeatureStatus({ status: 'active' }, around)).toMatchObject({ changes: [], environments: [] })
  })

  it('fails for an unknown variation', () => {
    const attempt = () => planUpdateFeatureStatus({ status: 'complete', staticVariation: 'absent' }, around)
    expect(attempt).toThrow(/must be the key or id of a variation of feature "checkout" \(on, off\), got "absent"/)
  })
})

describe('create_feature', () => {
  it('has all defaults, like the created feature', () => {
    const configurations = {
      production: {
        status: 'active' as const,
        targets: [{ ...target, distribution: [{ _variation: 'variation-on', percentage: 1 }] }]
      }
    }
    const effect = planCreateFeature(
      { key: 'new', name: 'New', configurations },
      { environments, project: approvals(true) }
    )
    expect(effect.changes.map(({ path }) => path)).toEqual([
      'configurations.production.status',
      'configurations.production.targets[0] "All Users"',
      'variations.variation-on',
      'variations.variation-off',
      'variables.new',
      'key',
      'name',
      'type',
      'controlVariation'
    ])
    expect(effect.changes.every(({ from, to }) => from === undefined && to !== undefined)).toBe(true)
    expect(reach(effect)).toEqual(['production'])
    expect(effect.summary).toMatch(/on in "production"\. Turning it on in "production" becomes a change request/)
  })

  it('affects no users in environments where it is off', () => {
    const effect = planCreateFeature({ key: 'new', name: 'New' }, { environments, project: approvals(true) })
    expect([effect.environments, effect.summary]).toEqual([
      [],
      'Creates feature "New" ("new"), off in every environment.'
    ])
  })
})

it('delete_feature shows all losses in every environment', () => {
  const effect = planDeleteFeature({ feature, environments })
  expect(effect.changes.map(({ path }) => path)).toEqual(
    expect.arrayContaining(['configurations.production.targets[0] "All Users"', 'variations.on', 'variations.off'])
  )
  expect(effect.changes.every(({ to }) => to === undefined)).toBe(true)
  expect([effect.deletes, reach(effect)]).toEqual(['checkout', ['production']])
  expect(effect.summary).toMatch(/"lab", "production", "spare"/)
  expect(effect.summary).toMatch(/are lost\..*Archiving it with update_feature_status/)
  expect(reach(planDeleteFeature({ feature: { ...feature, status: 'archived' }, environments }))).toEqual([])
})

describe('variables', () => {
  const [variable] = feature.variables as [Variable]
  const carrier = { feature, environments }

  it('create_variable without a feature affects no users', () => {
    const effect = planCreateVariable({ key: 'wide', type: 'Boolean' })
    expect(dataOf(effect.changes)).toEqual([
      { path: 'key', to: 'wide' },
      { path: 'type', to: 'Boolean' }
    ])
    expect(effect.environments).toEqual([])
  })

  it.each([
    [{ type: 'Boolean', defaultValue: true }, true],
    [{ type: 'Boolean' }, false],
    [{ type: 'String' }, ''],
    [{ type: 'JSON' }, {}],
    [{ type: 'Number', validationSchema: { schemaType: 'enum', enumValues: [7], description: '', exampleValue: 7 } }, 7]
  ] as const)('create_variable in a feature has a value in each variation: %j', (body, to) => {
    const effect = planCreateVariable({ key: 'wide', _feature: 'checkout', ...body } as never, carrier)
    expect(dataOf(effect.changes.slice(0, 2))).toEqual([
      { path: 'variations.on.variables.wide', to },
      { path: 'variations.off.variables.wide', to }
    ])
    expect(effect.changes.slice(2).map(({ path }) => path)).toEqual(['variables.wide'])
    expect(reach(effect)).toEqual(['production'])
  })

  it('update_variable affects the environments where its feature is on', () => {
    const effect = planUpdateVariable({ key: 'count', validationSchema: null }, variable, carrier)
    expect(dataOf(effect.changes)).toEqual([{ path: 'key', from: 'steps', to: 'count' }])
    expect(effect.summary).toMatch(/reads it as "steps" gets the default in the code/)
    expect(reach(effect)).toEqual(['production'])
    expect(planUpdateVariable({ key: 'count' }, variable).environments).toEqual([])
    expect(planUpdateVariable({ key: 'steps' }, variable, carrier)).toMatchObject({ changes: [], environments: [] })
  })

  it('delete_variable names every environment', () => {
    const effect = planDeleteVariable(variable, environments)
    expect([effect.deletes, effect.environments]).toEqual(['steps', []])
    expect(effect.summary).toMatch(/from every environment: "lab", "production", "spare"/)
  })
})

it('overrides affect one environment', () => {
  const [, production] = environments as [Environment, Environment]
  const overriding = { feature, environment: production, currentVariationId: id('d') }
  const set = planSetOverride({ key: 'on' }, overriding, 'ada')
  expect(dataOf(set.changes)).toEqual([{ path: 'overrides.production', from: 'off', to: 'on' }])
  expect(set.environments).toEqual([{ key: 'production', type: 'production' }])
  const cleared = planClearOverride(overriding)
  expect(dataOf(cleared.changes)).toEqual([{ path: 'overrides.production', from: 'off' }])
  expect(planClearOverride({ ...overriding, currentVariationId: undefined }).changes).toEqual([])
})

it('never shows an SDK key', () => {
  const effects = [
    planUpdateFeature({ configurations: { lab: { status: 'active' } } }, around),
    planUpdateFeatureStatus({ status: 'complete', staticVariation: 'on' }, around),
    planDeleteFeature({ feature, environments }),
    planCreateFeature({ key: 'new', name: 'New', configurations: { lab: { status: 'active' } } }, around),
    planDeleteVariable(feature.variables[0] as Variable, environments)
  ]
  expect(JSON.stringify(effects)).not.toContain('very-secret')
})

describe('a plan', () => {
  let server: TestServer
  let known: Environment[]

  beforeAll(async () => {
    server = await openShop()
    known = (await call(server, 'listEnvironments', { params: { project: 'shop' } })).body
  })

  // Updates with unknown references are rejected and prove nothing, so the first variation and the variable are kept.
  const variationKeys = fc.shuffledSubarray(['variation-off', 'third']).map((keys) => ['variation-on', ...keys])
  const share = fc.constant([{ _variation: 'variation-on', percentage: 1 }])
  const targets = fc.array(
    fc.record({
      name: fc.constantFrom('All Users', 'Some "quoted" users'),
      audience: fc.constant({ filters: allUsers }),
      distribution: share,
      rollout: fc.constantFrom(null, { type: 'schedule', startDate: '2026-03-01T12:00:00+02:00' })
    }),
    { minLength: 1, maxLength: 2 }
  )
  const configuration = fc.record(
    { status: fc.constantFrom('active', 'inactive'), targets },
    { requiredKeys: ['targets'] }
  )
  const bodies = fc.record(
    {
      name: fc.constantFrom('Own', 'Other'),
      tags: fc.subarray(['a', 'b']),
      sdkVisibility: fc.record({ mobile: fc.boolean() }),
      summary: fc.record({ markdown: fc.constantFrom('', 'Text') }),
      controlVariation: fc.constant('variation-on'),
      variables: fc.shuffledSubarray(['extra-one', 'extra-two']).map((keys) =>
        [...keys, 'own'].map((key) => ({
          key,
          name: key,
          tags: [],
          type: 'Boolean',
          ...(key === 'extra-one' ? { defaultValue: true } : {})
        }))
      ),
      variations: fc
        .tuple(variationKeys, fc.constantFrom({}, { own: false }), fc.boolean())
        .map(([keys, variables, isReversed]) => {
          const list = keys.map((key) => ({ key, name: 'One', variables }))
          return isReversed ? list.reverse() : list
        }),
      configurations: fc.record({ production: configuration, lab: configuration }, { requiredKeys: [] })
    },
    { requiredKeys: [] }
  )

  it('is equal to the change that the server makes', async () => {
    let count = 0
    let happened = 0
    await fc.assert(
      fc.asyncProperty(bodies, async (given) => {
        const body = given as unknown as UpdateFeature
        const key = `feature-${count++}`
        const named = (text: string) =>
          JSON.parse(text.replaceAll('"own"', `"${key}"`).replaceAll('"extra', `"${key}-extra`))
        const asked: UpdateFeature = named(JSON.stringify(body))
        const params = { project: 'shop', feature: key }
        const created = { key, name: 'Own' }
        const newly = planCreateFeature(created, { environments: known, project: approvals(false) })
        const before = FeatureSchema.parse((await call(server, 'createFeature', { params, body: created })).body)
        // Defaults that were not requested are not in the plan, since they are empty.
        const made = diff(undefined, featureTree(featureState(before, known)))
        const byPath = new Map(made.map((change) => [change.path, change]))
        for (const { toText: _, ...change } of newly.changes) expect(byPath.get(change.path)).toMatchObject(change)
        const foretold = planUpdateFeature(asked, { feature: before, environments: known, project: approvals(false) })
        const { status, body: answer } = await call(server, 'updateFeature', { params, body: asked })
        if (status !== 200) return
        happened++
        const [was, is] = [before, FeatureSchema.parse(answer)].map((one) => featureState(one, known))
        if (!was || !is) throw new Error('a variation is missing')
        const real = diff(featureTree(was), featureTree(is, { known: was }))
        expect(sortedBy(differing(foretold))).toEqual(sortedBy(real))

        const next = FeatureSchema.parse(answer)
        const wish = { status: 'complete', staticVariation: 'variation-on' } as const
        const ending = planUpdateFeatureStatus(wish, { ...around, feature: next, environments: known })
        const end = await call(server, 'updateFeatureStatus', { params, body: wish })
        if (end.status !== 200) return
        const [active, complete] = [next, FeatureSchema.parse(end.body)].map((one) => featureState(one, known))
        if (!active || !complete) throw new Error('a variation is missing')
        const ended = diff(featureTree(active), featureTree(complete, { known: active }))
        expect(sortedBy(differing(ending))).toEqual(sortedBy(ended))
      }),
      { numRuns: 40 }
    )
    // Some updates must be accepted.
    expect(happened).toBeGreaterThan(20)
  })
})

/** Returns the differences, without the targets that are only newly served. */
function differing({ changes }: Plan): readonly Change[] {
  return changes.filter(({ path }) => !path.endsWith('(served from now on)'))
}

/** Sorts changes, since the order of values is arbitrary in this test. */
function sortedBy(changes: readonly Change[]): readonly Change[] {
  const sortKey = (change: Change) => JSON.stringify([change.path, change.from, change.to])
  return [...changes].sort((one, other) => (sortKey(one) < sortKey(other) ? -1 : 1))
}

test('a value is of the type Number if the server would store it', () => {
  expect([0, -1.5, Number.NaN, Number.POSITIVE_INFINITY, '1'].map((value) => isOfType('Number', value))).toEqual([
    true,
    true,
    false,
    false,
    false
  ])
})
