import { describe, expect, test } from 'vitest'
import { findOnVariation, proposeTarget, shareOfCountry } from '../../src/rules/newTarget.ts'
import { reduceConfiguration, toConfiguration, toConfigurationDraft } from '../../src/rules/targets.ts'
import { validateConfiguration } from '../../src/rules/validate.ts'

const variation = (key: string) => ({ _id: `id-of-${key}`, key })

const [off, on, other] = [variation('off'), variation('on'), variation('other')] as const

const everyone = (variation: string, rollout = {}) => ({
  audience: { filters: { operator: 'and' as const, filters: [{ type: 'all' as const }] } },
  distribution: [{ _variation: variation, percentage: 1 }],
  ...rollout
})

const canada = {
  audience: {
    filters: {
      operator: 'and' as const,
      filters: [{ type: 'user' as const, subType: 'country' as const, comparator: '=' as const, values: ['CA'] }]
    }
  },
  distribution: [{ _variation: 'on', percentage: 1 }]
}

const propose = (targets: object[], variations: object[]) =>
  proposeTarget(toConfigurationDraft({ targets } as never).targets, variations as never)

describe('a new target', () => {
  test('serves the only variation that is not served to everyone else, before that target', () => {
    expect(propose([canada, everyone('off')], [off, on])).toEqual({ index: 1, variation: 'id-of-on' })
    expect(propose([everyone('id-of-on')], [off, on])).toEqual({ index: 0, variation: 'id-of-off' })
  })

  test('serves nothing yet where several variations are possible', () => {
    expect(propose([everyone('off')], [off, on, other])).toEqual({ index: 0, variation: '' })
    expect(propose([canada], [off, on])).toEqual({ index: 1, variation: '' })
  })

  test('serves in an environment without targets what those of the others serve', () => {
    const first = (...served: string[]) =>
      proposeTarget(
        [],
        [off, on],
        served.map((variation) => everyone(variation))
      )
    expect(first('id-of-on', 'id-of-on')).toEqual({ index: 0, variation: 'id-of-on' })
    expect(first('id-of-on', 'id-of-off')).toEqual({ index: 0, variation: '' })
    expect(first()).toEqual({ index: 0, variation: '' })
  })

  test('cannot be saved before its variation is chosen', () => {
    const draft = reduceConfiguration(
      toConfigurationDraft({}),
      { type: 'addTarget', index: 0, variation: '' },
      { isOptInEnabled: false }
    )
    expect(validateConfiguration(draft, { customProperties: [] })).toEqual([
      { target: '1', part: 'split', node: '', path: [], message: 'choose a variation' }
    ])
  })

  test('cannot be saved as on without a target', () => {
    const issuesOf = (status: 'active' | 'inactive') =>
      validateConfiguration(toConfigurationDraft({ status }), { customProperties: [] })
    expect(issuesOf('active')).toEqual([
      { part: 'configuration', path: ['status'], message: 'add one, or turn the feature off' }
    ])
    expect(issuesOf('inactive')).toEqual([])
  })

  test('for a share of a country needs the country only', () => {
    const now = Date.parse('2026-03-01T12:00:00.000Z')
    const draft = reduceConfiguration(
      toConfigurationDraft({}),
      { type: 'addTarget', index: 0, variation: 'on', audience: shareOfCountry(now) },
      { isOptInEnabled: false }
    )
    expect(validateConfiguration(draft, { customProperties: [] })).toMatchObject([{ target: '1', part: 'filters' }])
    expect(toConfiguration(draft).targets).toMatchObject([
      {
        audience: {
          filters: { filters: [{ type: 'user', subType: 'country', comparator: '=', values: [] }] }
        },
        rollout: { startPercentage: 0.2, startDate: '2026-03-01T12:00:00.000Z' }
      }
    ])
  })
})

describe('the variation of a rollout', () => {
  const flag = (key: string, value: unknown) => ({ ...variation(key), variables: { flag: value, label: key } })
  const find = (variations: readonly object[], controlVariation = '') =>
    findOnVariation({ variations, controlVariation } as never)

  test('is the one whose Boolean values are true, regardless of the order and the control', () => {
    const [no, yes] = [flag('no', false), flag('yes', true)]
    expect(find([no, yes], 'no')).toBe('id-of-yes')
    expect(find([yes, no], 'yes')).toBe('id-of-yes')
    expect(find([yes, no])).toBe('id-of-yes')
  })

  test('is the one that is not the control, if no Boolean value decides', () => {
    expect(find([flag('a', 'x'), flag('b', 'y')], 'b')).toBe('id-of-a')
    expect(find([flag('a', false), flag('b', false)], 'a')).toBe('id-of-b')
  })

  test('is left to the person if several remain', () => {
    expect(find([flag('control', false), flag('a', true), flag('b', true)], 'control')).toBe('')
    expect(find([flag('a', 'x'), flag('b', 'y')])).toBe('')
    expect(find([])).toBe('')
  })
})
