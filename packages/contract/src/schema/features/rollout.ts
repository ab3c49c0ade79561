import type * as core from '@burgee/core'
import { z } from 'zod'
import { DateTime } from '../common/fields.ts'

/** A share of users, from 0 to 1. */
export const Fraction = z.number().min(0, 'should be from 0 to 1').max(1, 'should be from 0 to 1')

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

/** How the share of users that a target admits changes over time (docs/reference/evaluation.md). */
export const Rollout = z
  .strictObject({
    type: z.enum(['schedule', 'gradual', 'stepped']),
    startDate: DateTime,
    startPercentage: Fraction.exactOptional().meta({
      description: 'The share of users from `startDate` on. Required for `gradual` and `stepped`.'
    }),
    stages: z.array(RolloutStage).max(100).exactOptional().meta({
      description: 'In order of their dates, at most 100. For `gradual`, linear stages only.'
    })
  })
  .refine(({ type, startPercentage }) => type === 'schedule' || startPercentage !== undefined, {
    path: ['startPercentage'],
    error: 'should be given, from 0 to 1, when type is gradual or stepped'
  })
  .refine(({ type, stages }) => type === 'schedule' || (stages !== undefined && stages.length > 0), {
    path: ['stages'],
    error: 'should have at least one stage when type is gradual or stepped'
  })
  .refine(({ type, stages }) => type !== 'gradual' || !stages?.some((stage) => stage.type !== 'linear'), {
    path: ['stages'],
    error: 'should be linear when type is gradual; stepped rollouts have discrete stages too'
  })
  .refine(({ startDate, stages = [] }) => isInOrder([startDate, ...stages.map(({ date }) => date)]), {
    path: ['stages'],
    error: 'should be in order of their dates, none before startDate: a stage that is over counts at once'
  })
  .meta({
    id: 'Rollout',
    description: '`schedule` admits all users from `startDate` on; the other types follow their stages.',
    example
  }) satisfies z.ZodType<core.Rollout>
export type Rollout = z.infer<typeof Rollout>

const ofSchedule = 'should not be given when type is schedule, which admits all users from startDate on'

/** A rollout in a request. Stored rollouts can have members that their type ignores; new ones cannot. */
export const RolloutInput = Rollout.refine(
  ({ type, startPercentage }) => type !== 'schedule' || startPercentage === undefined,
  { path: ['startPercentage'], error: `${ofSchedule}; type gradual or stepped begins with a share` }
)
  .refine((rollout) => !hasUnusedStages(rollout) || !isLinear(rollout), {
    path: ['stages'],
    error: `${ofSchedule}; type gradual follows linear stages`
  })
  .refine((rollout) => !hasUnusedStages(rollout) || isLinear(rollout), {
    path: ['stages'],
    error: `${ofSchedule}; type stepped follows stages`
  })
  .meta({
    id: 'RolloutInput',
    description:
      'A schedule admits all users from its start date on and takes neither `startPercentage` nor `stages`; the other types need both.',
    example
  })

function hasUnusedStages({ type, stages = [] }: Rollout): boolean {
  return type === 'schedule' && stages.length > 0
}

function isLinear({ stages = [] }: Rollout): boolean {
  return stages.every(({ type }) => type === 'linear')
}

function isInOrder(dates: readonly string[]): boolean {
  const moments = dates.map((date) => Date.parse(date))
  return moments.every((moment, index) => index === 0 || moment >= (moments[index - 1] ?? moment))
}
