import type { TargetInput } from '@burgee/contract/schemas'
import { expect, test } from 'vitest'
import { describeConfigurations } from '../../../src/components/diff/describeTargets.ts'

const context = {
  now: Date.parse('2026-03-01T00:00:00Z'),
  locale: 'en-GB',
  timeZone: 'UTC',
  variations: new Map([
    ['on', 'On'],
    ['off', 'Off']
  ])
}

function target(members: Partial<TargetInput> & { readonly countries?: string[] }): TargetInput {
  const { countries, ...rest } = members
  const filter = countries
    ? ({ type: 'user', subType: 'country', comparator: '=', values: countries } as const)
    : ({ type: 'all' } as const)
  const whole: TargetInput = {
    audience: { filters: { operator: 'and', filters: [filter] } },
    distribution: [{ _variation: 'on', percentage: 1 }],
    ...rest
  }
  return countries ? { ...whole, audience: { filters: { operator: 'and', filters: [filter] } } } : whole
}

const [canada, everybody] = [target({ _id: '1', name: 'Canada', countries: ['CA'] }), target({ _id: '2', name: 'All' })]

test('matches targets by id and names what was added, removed and moved', () => {
  const third = target({ _id: '3', name: 'Third' })
  const groups = describeConfigurations(
    { status: 'active', targets: [canada, everybody, third] },
    { status: 'inactive', targets: [everybody, canada, target({ name: 'New' })] },
    context
  )
  expect(groups.map(({ title, mark }) => `${mark}: ${title}`)).toEqual([
    'changed: Turned off',
    'removed: Target “Third”',
    'moved: Target “Canada”',
    'added: Target “New”'
  ])
  expect(groups[2]?.rows).toEqual([{ kind: 'value', label: 'Position', before: '1', after: '2' }])
})

test('shows values of a condition as added and removed', () => {
  const after = { targets: [target({ ...canada, countries: ['US', 'MX'] })] }
  expect(describeConfigurations({ targets: [canada] }, after, context)[0]?.rows).toEqual([
    { kind: 'values', label: 'country is', added: ['United States (US)', 'Mexico (MX)'], removed: ['Canada (CA)'] }
  ])
})

test('shows shares and rollouts before and after', () => {
  const after = target({
    _id: '2',
    name: 'All',
    distribution: [
      { _variation: 'on', percentage: 0.2 },
      { _variation: 'off', percentage: 0.8 }
    ],
    rollout: {
      type: 'gradual',
      startDate: '2026-03-01T00:00:00.000Z',
      startPercentage: 0.1,
      stages: [{ type: 'linear', percentage: 1, date: '2026-03-08T00:00:00.000Z' }]
    }
  })
  expect(describeConfigurations({ targets: [everybody] }, { targets: [after] }, context)[0]?.rows).toEqual([
    { kind: 'value', label: 'Serve', before: 'On', after: 'On 20%, Off 80%' },
    {
      kind: 'value',
      label: 'Rollout',
      before: 'everyone',
      after: '10% from 1 Mar 2026, 00:00, rising to 100% on 8 Mar 2026, 00:00'
    }
  ])
})

test('shows conditions that were added, replaced and combined in another way', () => {
  const filters = {
    operator: 'or',
    filters: [{ type: 'user', subType: 'email', comparator: 'endWith', values: ['@example.com'] }, { type: 'all' }]
  } as const
  const after = target({ ...canada, audience: { filters: { ...filters, filters: [...filters.filters] } } })
  expect(describeConfigurations({ targets: [canada] }, { targets: [after] }, context)[0]?.rows).toEqual([
    { kind: 'value', label: 'For users who match', before: 'all conditions', after: 'any of the conditions' },
    {
      kind: 'value',
      label: 'Condition',
      before: 'country is Canada (CA)',
      after: 'email ends with @example.com'
    },
    { kind: 'value', label: 'Condition', after: expect.any(String) }
  ])
})
