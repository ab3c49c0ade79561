import { admittedShare } from '@burgee/core'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { variationForAll } from '../src/rules.ts'
import { Rollout } from '../src/schemas.ts'
import { rolloutState } from '../src/words.ts'

const NOW = Date.parse('2026-03-01T12:00:00.000Z')
const HOUR = 3_600_000
const at = (hours: number) => new Date(NOW + hours * HOUR).toISOString()

const share = fc.oneof(fc.constantFrom(0, 1), fc.double({ min: 0, max: 1, noNaN: true }))
const stage = fc.record({ kind: fc.constantFrom('linear', 'discrete'), share, after: fc.integer({ min: 0, max: 30 }) })
const rollout = fc
  .record({
    type: fc.constantFrom('schedule', 'gradual', 'stepped'),
    start: fc.integer({ min: -50, max: 50 }),
    share,
    stages: fc.array(stage, { minLength: 1, maxLength: 4 })
  })
  .map(({ type, start, share, stages }) => {
    let hours = start
    return Rollout.parse({
      type,
      startDate: at(start),
      startPercentage: share,
      stages: stages.map(({ kind, share, after }) => {
        hours += after
        return { type: type === 'gradual' ? 'linear' : kind, percentage: share, date: at(hours) }
      })
    })
  })
// Not on a full hour: at the millisecond of a start, evaluation admits nobody.
const moment = fc.integer({ min: -60, max: 180 }).map((hours) => NOW + hours * HOUR + 1000)

test('the share of a rollout is the one that evaluation admits, exactly', () => {
  fc.assert(
    fc.property(rollout, moment, (given, now) => {
      expect(rolloutState(given, now).share).toBe(admittedShare(given, now))
    }),
    { numRuns: 500 }
  )
  for (const none of [undefined, null]) expect(rolloutState(none, NOW).share).toBe(admittedShare(none, NOW))
})

test('a rollout after which all users get a variation admits all of them from then on', () => {
  const audience = { filters: { operator: 'and', filters: [{ type: 'all' }] } }
  const distribution = [{ _variation: 'on', percentage: 1 }]
  fc.assert(
    fc.property(rollout, moment, moment, (given, now, later) => {
      const targets = [{ audience, distribution, rollout: given }]
      const { variation } = variationForAll({ status: 'active', targets }, { now })
      if (variation !== null) expect(admittedShare(given, Math.max(now, later))).toBe(1)
    }),
    { numRuns: 500 }
  )
})
