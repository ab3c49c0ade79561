import type * as core from '@burgee/core'
import { z } from 'zod'
import { DateTime } from '../common/fields.ts'

/** A share of users, from 0 to 1. */
export const Fraction = z.number().min(0, 'should be from 0 to 1').max(1, 'should be from 0 to 1')

/** The maximum number of stages of a rollout. */
export const MAX_ROLLOUT_STAGES = 100

const RolloutStage = z
  .strictObject({
    type: z.enum(['linear', 'discrete']),
    percentage: Fraction,
    date: DateTime
  })
  .meta({
    id: 'RolloutStage',
    description: 'The share of users from a date on. Linear stages approach it gradually, discrete stages jump to it.'
  })

const example = {
  type: 'gradual',
  startDate: '2026-03-01T12:00:00.000Z',
  startPercentage: 0.1,
  stages: [{ type: 'linear', percentage: 1, date: '2026-03-08T12:00:00.000Z' }]
}

/** How the share of users that a target includes changes over time (docs/reference/evaluation.md). */
export const Rollout = z
  .strictObject({
    type: z.enum(['schedule', 'gradual', 'stepped']),
    startDate: DateTime,
    startPercentage: Fraction.exactOptional().meta({
      description: 'The share of users from `startDate` on. Required for `gradual` and `stepped`.'
    }),
    stages: z.array(RolloutStage).max(MAX_ROLLOUT_STAGES).exactOptional().meta({
      description: 'Sorted by date, at most 100. For `gradual`, linear stages only.'
    })
  })
  .refine(({ type, startPercentage }) => type === 'schedule' || startPercentage !== undefined, {
    path: ['startPercentage'],
    when: areValid('type', 'startPercentage'),
    error: 'should be given, from 0 to 1, when type is gradual or stepped'
  })
  .refine(({ type, stages }) => type === 'schedule' || (stages !== undefined && stages.length > 0), {
    path: ['stages'],
    when: areValid('type', 'stages'),
    error: 'should have at least one stage when type is gradual or stepped'
  })
  .refine(({ type, stages }) => type !== 'gradual' || !stages?.some((stage) => stage.type !== 'linear'), {
    path: ['stages'],
    when: areValid('type', 'stages'),
    error: 'should be linear when type is gradual; for discrete stages, use type stepped'
  })
  .refine(({ startDate, stages = [] }) => isSorted([startDate, ...stages.map(({ date }) => date)]), {
    path: ['stages'],
    when: areValid('startDate', 'stages'),
    error: 'should be sorted by date and not begin before startDate: a stage whose date has passed takes effect at once'
  })
  .meta({
    id: 'Rollout',
    description: '`schedule` includes all users from `startDate` on; the other types follow their stages.',
    example
  }) satisfies z.ZodType<core.Rollout>
export type Rollout = z.infer<typeof Rollout>

const scheduleError = 'should not be given when type is schedule, which includes all users from startDate on'

/** A rollout in a request. Stored rollouts can have members that their type ignores; new ones cannot. */
export const RolloutInput = Rollout.refine(
  ({ type, startPercentage }) => type !== 'schedule' || startPercentage === undefined,
  {
    path: ['startPercentage'],
    when: areValid('type', 'startPercentage'),
    error: `${scheduleError}; for a start percentage, use type gradual or stepped`
  }
)
  .refine((rollout) => !hasUnusedStages(rollout) || !isLinear(rollout), {
    path: ['stages'],
    when: areValid('type', 'stages'),
    error: `${scheduleError}; for linear stages, use type gradual`
  })
  .refine((rollout) => !hasUnusedStages(rollout) || isLinear(rollout), {
    path: ['stages'],
    when: areValid('type', 'stages'),
    error: `${scheduleError}; for discrete stages, use type stepped`
  })
  .meta({
    id: 'RolloutInput',
    description:
      'A schedule includes all users from its start date on, and takes neither `startPercentage` nor `stages`; the other types need both.',
    example
  })

/** Lets a check of some members run while others are invalid, so that a caller learns of all problems immediately. */
function areValid(...members: readonly (keyof core.Rollout)[]): (payload: z.core.ParsePayload) => boolean {
  const needed = new Set<PropertyKey>(members)
  return ({ value, issues }) =>
    typeof value === 'object' &&
    value !== null &&
    issues.every(({ code, path: [member] = [] }) => {
      return code === 'unrecognized_keys' || (member !== undefined && !needed.has(member))
    })
}

function hasUnusedStages({ type, stages = [] }: Rollout): boolean {
  return type === 'schedule' && stages.length > 0
}

function isLinear({ stages = [] }: Rollout): boolean {
  return stages.every(({ type }) => type === 'linear')
}

function isSorted(dates: readonly string[]): boolean {
  const moments = dates.map((date) => Date.parse(date))
  return moments.every((moment, index) => index === 0 || moment >= (moments[index - 1] ?? moment))
}
