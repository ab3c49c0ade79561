import { UpdateFeatureConfiguration } from '@burgee/contract/schemas'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { newCondition } from '../../src/rules/conditions.ts'
import {
  type ConfigurationAction,
  type ConfigurationDraft,
  configurationCodec,
  configurationRefusal,
  reduceConfiguration,
  toConfiguration,
  toConfigurationDraft
} from '../../src/rules/targets.ts'
import { validateConfiguration } from '../../src/rules/validate.ts'
import { configuration, ids } from '../support/configuration.ts'

const optIn = { isOptInEnabled: true }

const run = (draft: ConfigurationDraft, ...actions: ConfigurationAction[]) =>
  actions.reduce((state, action) => reduceConfiguration(state, action, optIn), draft)

const draft = toConfigurationDraft(configuration)

const context = { customProperties: [] }

const target = fc.integer({ min: 1, max: 8 }).map(String)

const key = fc.integer({ min: 1, max: 8 }).map(String)

const action: fc.Arbitrary<ConfigurationAction> = fc.oneof(
  fc.record({ type: fc.constant('addTarget' as const), variation: fc.constantFrom('on', 'off'), index: fc.nat(3) }),
  fc.record({ type: fc.constantFrom('removeTarget' as const, 'duplicateTarget' as const), target }),
  fc.record({ type: fc.constant('moveTarget' as const), target, index: fc.nat(5) }),
  fc.record({
    type: fc.constant('renameTarget' as const),
    target,
    name: fc.constantFrom('', 'A', ' ', 'x'.repeat(101))
  }),
  fc.record({
    type: fc.constant('setBucketingKey' as const),
    target,
    bucketingKey: fc.constantFrom('', 'company', undefined)
  }),
  fc.record({
    type: fc.constant('setRollout' as const),
    target,
    rollout: fc.constantFrom({ form: 'everybody' as const }, { form: 'moment' as const, startDate: '' })
  }),
  fc.record({
    type: fc.constant('editSplit' as const),
    target,
    action: fc.constantFrom(
      { type: 'even' as const },
      { type: 'add' as const, variation: 'b', isOn: true },
      { type: 'set' as const, variation: 'on', hundredths: 1234 }
    )
  }),
  fc.record({
    type: fc.constant('editTree' as const),
    target,
    action: fc.oneof(
      fc.record({ type: fc.constantFrom('remove' as const, 'putIntoGroup' as const), key }),
      fc.record({
        type: fc.constantFrom('addCondition' as const, 'addGroup' as const),
        group: key,
        condition: fc.constantFrom(newCondition({ kind: 'all' }), newCondition({ kind: 'user', subType: 'email' }))
      })
    )
  })
)

describe('the draft of a configuration', () => {
  test('is accepted by the schema after any changes, or has issues at places that exist', () => {
    fc.assert(
      fc.property(fc.array(action, { maxLength: 30 }), (actions) => {
        const state = run(draft, ...actions)
        const { success } = UpdateFeatureConfiguration.safeParse(toConfiguration(state))
        const issues = validateConfiguration(state, context)
        expect(issues.length === 0).toBe(success)
        const keys = state.targets.map((item) => item.key)
        expect(new Set(keys).size).toBe(keys.length)
        expect(issues.every((issue) => keys.includes(issue.target ?? ''))).toBe(true)
        expect(state.targets.some(({ id }) => id === ids[1])).toBe(true)
      })
    )
  })

  test('returns the configuration from which it was created', () => {
    expect(toConfiguration(draft)).toEqual(configuration)
  })

  test('keeps ids through moves and edits, and copies have none', () => {
    const state = run(
      draft,
      { type: 'duplicateTarget', target: '1' },
      { type: 'moveTarget', target: '1', index: 2 },
      { type: 'renameTarget', target: '1', name: 'Canada first' }
    )
    expect(state.targets.map(({ key, id, name }) => [key, id, name])).toEqual([
      ['3', undefined, 'Canada (copy)'],
      ['2', ids[1], undefined],
      ['1', ids[0], 'Canada first']
    ])
  })

  test('keeps the opt-in target while users can opt in', () => {
    const remove = { type: 'removeTarget', target: '2' } as const
    expect(configurationRefusal(draft, remove, optIn)).toBe(
      'the opt-in target is required while users can opt in to the feature'
    )
    expect(reduceConfiguration(draft, remove, { isOptInEnabled: false }).targets).toHaveLength(1)
    const paste = { type: 'replaceTargets', targets: configuration.targets.slice(0, 1) } as const
    expect(run(draft, paste)).toBe(draft)
  })

  test('takes targets of another environment without their ids', () => {
    const foreign = { ...configuration.targets[1]!, _id: '65f0c0ffee0123456789abff' }
    const state = run(draft, { type: 'copyTargets', targets: [foreign, configuration.targets[0]!] })
    expect(state.targets.map(({ key, id }) => [key, id])).toEqual([
      ['3', undefined],
      ['1', ids[0]]
    ])
  })

  test('keeps the keys of remaining rows when another version is loaded', () => {
    const [first, second] = configuration.targets
    const next = configurationCodec.toDraft({ status: 'inactive', targets: [second!, first!] }, draft)
    expect([next.status, ...next.targets.map(({ key }) => key)]).toEqual(['inactive', '2', '1'])
  })

  test('keeps the key of a new target when it is saved', () => {
    const state = run(draft, { type: 'addTarget', variation: 'on', index: 1 })
    const [first, added, last] = toConfiguration(state).targets
    const saved = { ...added!, _id: '65f0c0ffee0123456789abc3' }
    const next = configurationCodec.toDraft({ status: 'active', targets: [first!, saved, last!] }, state)
    expect(next.targets.map(({ key }) => key)).toEqual(['1', '3', '2'])
  })
})
