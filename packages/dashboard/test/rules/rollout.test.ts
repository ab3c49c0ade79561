import { type Rollout, RolloutInput } from '@burgee/contract/schemas'
import { rolloutState } from '@burgee/contract/words'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  addStep,
  presetRollout,
  removeStep,
  rolloutPresets,
  updateStep,
  withForm
} from '../../src/rules/rollout/editRollout.ts'
import { curveRange, rolloutCurve } from '../../src/rules/rollout/rolloutCurve.ts'
import { type RolloutDraft, rolloutRows, toRollout, toRolloutDraft } from '../../src/rules/rollout/rolloutDraft.ts'
import { rolloutProblems } from '../../src/rules/rollout/rolloutProblems.ts'

const NOW = Date.parse('2026-03-01T12:00:00.000Z')
const HOUR = 3_600_000
const at = (hours: number) => new Date(NOW + hours * HOUR).toISOString()
const stage = fc.record({
  type: fc.constantFrom('linear' as const, 'discrete' as const),
  percentage: fc.integer({ min: 0, max: 100 }).map((percent) => percent / 100)
})
const hours = fc.integer({ min: -50, max: 50 })
const rollout: fc.Arbitrary<Rollout> = fc
  .tuple(
    fc.constantFrom('schedule', 'gradual', 'stepped'),
    hours,
    fc.array(fc.tuple(hours, stage), { minLength: 1, maxLength: 5 })
  )
  .map(([type, start, list]): Rollout => {
    if (type === 'schedule') return { type, startDate: at(start) }
    const dates = list.map(([hour]) => start + Math.abs(hour)).sort((one, other) => one - other)
    const stages = list.map(([, members], index) => ({
      ...members,
      ...(type === 'gradual' ? { type: 'linear' as const } : {}),
      date: at(dates[index]!)
    }))
    return { type: type as 'gradual' | 'stepped', startDate: at(start), startPercentage: 0.1, stages }
  })
const steps = (...dates: string[]): RolloutDraft => ({
  form: 'steps',
  startDate: at(0),
  startPercentage: 0,
  steps: dates.map((date, index) => ({ key: `k${index}`, change: 'jump', percentage: 0.5, date })),
  nextKey: 9
})

describe('a rollout', () => {
  test('is the same after the form, without problems', () => {
    fc.assert(
      fc.property(rollout, (before) => {
        const draft = toRolloutDraft(before)
        expect(toRollout(draft)).toEqual(before)
        expect(rolloutProblems(draft)).toEqual([])
      })
    )
  })

  test.each(rolloutPresets)('preset %s is accepted by the API', (preset) => {
    const draft = presetRollout(preset, steps(at(1)), NOW)
    expect(RolloutInput.safeParse(toRollout(draft)).error).toBeUndefined()
    expect(rolloutProblems(draft)).toEqual([])
  })

  test('rolls back from the current share within an hour', () => {
    const growing = toRolloutDraft({
      type: 'gradual',
      startDate: at(-5),
      startPercentage: 0,
      stages: [{ type: 'linear', percentage: 1, date: at(5) }]
    })
    expect(presetRollout('rollBack', growing, NOW)).toMatchObject({
      startPercentage: 0.5,
      endPercentage: 0,
      endDate: at(1)
    })
  })

  test.each<[string, RolloutDraft, object[]]>([
    ['a step before another', steps(at(2), at(3), at(1)), [{ row: 'k2', message: 'step 3 is before step 2' }]],
    ['a step before the start', steps(at(-1)), [{ row: 'k0', message: 'step 1 is before the start' }]],
    [
      'an end before the start',
      { form: 'evenly', startDate: at(1), startPercentage: 0, endDate: at(0), endPercentage: 1 },
      [{ row: 'end', message: 'the end is before the start' }]
    ],
    ['a missing date', steps(''), [{ row: 'k0', message: 'enter a date' }]],
    ['no date', steps('tomorrow'), [{ row: 'k0', message: 'enter a date in the years 1000 to 9999, not “tomorrow”' }]],
    ['no steps', steps(), [{ row: 'steps', message: 'add a step' }]],
    [
      'a share beyond 100%',
      updateStep(steps(at(1)), 'k0', { percentage: 1.5 }),
      [{ row: 'k0', field: 'percentage', message: 'enter a share from 0 to 100%, not 150%' }]
    ]
  ])('with %s has a problem at its row', (_, draft, problems) => {
    expect(rolloutProblems(draft)).toMatchObject(problems)
    expect(RolloutInput.safeParse(toRollout(draft)).success).toBe(false)
  })

  test('has a form for a fixed share, which the API stores as a step at the start', () => {
    const fixed = withForm({ form: 'everybody' }, 'fixed', NOW)
    expect(fixed).toEqual({ form: 'fixed', startDate: at(0), startPercentage: 0.1 })
    expect(RolloutInput.safeParse(toRollout(fixed)).error).toBeUndefined()
    expect(toRolloutDraft(toRollout(fixed))).toEqual(fixed)
    expect([-1, 0, 1000].map((hour) => rolloutState(toRollout(fixed), NOW + hour * HOUR).share)).toEqual([0, 0.1, 0.1])
    expect(rolloutProblems({ form: 'fixed', startDate: '', startPercentage: 2 })).toHaveLength(2)
  })

  test('keeps the current share when a growing share becomes a fixed one', () => {
    const growing: RolloutDraft = {
      form: 'evenly',
      startDate: at(-5),
      startPercentage: 0,
      endDate: at(5),
      endPercentage: 1
    }
    expect(withForm(growing, 'fixed', NOW)).toMatchObject({ startDate: at(0), startPercentage: 0.5 })
  })

  test('draws jumps as two points at one moment, and nothing without dates', () => {
    const [from, to] = curveRange(steps(at(2)), NOW)
    expect([from, to]).toEqual([NOW - HOUR, NOW + 3 * HOUR])
    expect(rolloutCurve(steps(at(2)), from, to)).toEqual([
      { at: from, share: 0 },
      { at: NOW, share: 0 },
      { at: NOW, share: 0 },
      { at: NOW + 2 * HOUR, share: 0 },
      { at: NOW + 2 * HOUR, share: 0.5 },
      { at: to, share: 0.5 }
    ])
    expect(rolloutCurve(steps(''), from, to)).toEqual([])
    expect(rolloutRows(steps(at(-1), at(1)), NOW).map(({ isPast }) => isPast)).toEqual([true, true, false])
  })

  test('keeps dates in another form, and keys of steps', () => {
    const evenly = withForm(steps(at(1), at(4)), 'evenly', NOW)
    expect(evenly).toMatchObject({ startDate: at(0), endDate: at(4), endPercentage: 0.5 })
    expect(withForm(evenly, 'steps', NOW)).toMatchObject({ steps: [{ change: 'grow', date: at(4) }] })
    expect(toRollout(withForm(evenly, 'everybody', NOW))).toBeUndefined()
    const longer = addStep(removeStep(steps(at(1), at(2)), 'k0'))
    expect(longer).toMatchObject({ steps: [{ key: 'k1' }, { key: '9', percentage: 0.6, date: at(26) }] })
  })
})
