import type { Rollout } from '@burgee/contract/schemas'

/** A later step of a rollout: the share jumps to its percentage at the date, or grows evenly until the date. */
export interface RolloutStep {
  /** Identifies the row while the form is open. Not part of the API. */
  readonly key: string
  readonly change: 'jump' | 'grow'
  /** From 0 to 1. */
  readonly percentage: number
  /** ISO 8601, or empty while it is missing. */
  readonly date: string
}

/** The form of a rollout: everyone, everyone from a start date, a fixed percentage, linear, or stepped. */
export type RolloutDraft =
  | { readonly form: 'everybody' }
  | { readonly form: 'moment'; readonly startDate: string }
  | { readonly form: 'fixed'; readonly startDate: string; readonly startPercentage: number }
  | {
      readonly form: 'evenly'
      readonly startDate: string
      readonly startPercentage: number
      readonly endDate: string
      readonly endPercentage: number
    }
  | {
      readonly form: 'steps'
      readonly startDate: string
      readonly startPercentage: number
      readonly steps: readonly RolloutStep[]
      readonly nextKey: number
      /** Present if the API has a gradual rollout with several stages, which stays one while all steps grow. */
      readonly isGradual?: true
    }

/** A vertex of the curve in the preview. Two vertices at one moment are a jump. */
export interface CurvePoint {
  /** Epoch milliseconds. */
  readonly at: number
  readonly share: number
}

/** A row of the table of points, the text alternative of the curve. */
export interface RolloutRow extends CurvePoint {
  /** As in `RolloutProblem`. */
  readonly row: string
  readonly change: 'jump' | 'grow'
  readonly isPast: boolean
}

/** Creates the form of a rollout. Members that a stored schedule has and evaluation ignores are dropped. */
export function toRolloutDraft(rollout: Rollout | null | undefined): RolloutDraft {
  if (!rollout) return { form: 'everybody' }
  const { type, startDate, startPercentage = 0, stages = [] } = rollout
  if (type === 'schedule') return { form: 'moment', startDate }
  const [first] = stages
  if (type === 'gradual' && first?.type === 'linear' && stages.length === 1) {
    return { form: 'evenly', startDate, startPercentage, endDate: first.date, endPercentage: first.percentage }
  }
  if (type === 'stepped' && first?.type === 'discrete' && stages.length === 1) {
    const isFixed = first.date === startDate && first.percentage === startPercentage
    if (isFixed) return { form: 'fixed', startDate, startPercentage }
  }
  const steps = stages.map(
    (stage, index): RolloutStep => ({
      key: String(index + 1),
      change: stage.type === 'linear' ? 'grow' : 'jump',
      percentage: stage.percentage,
      date: stage.date
    })
  )
  const isGradual = type === 'gradual'
  return {
    form: 'steps',
    startDate,
    startPercentage,
    steps,
    nextKey: steps.length + 1,
    ...(isGradual ? { isGradual } : {})
  }
}

/** Returns the rollout for the API, or undefined for everyone. */
export function toRollout(draft: RolloutDraft): Rollout | undefined {
  switch (draft.form) {
    case 'everybody':
      return undefined
    case 'moment':
      return { type: 'schedule', startDate: draft.startDate }
    case 'fixed': {
      // The API asks for a stage: one at the start, with the same share.
      const { startDate, startPercentage } = draft
      const stage = { type: 'discrete', percentage: startPercentage, date: startDate } as const
      return { type: 'stepped', startDate, startPercentage, stages: [stage] }
    }
    case 'evenly':
      return {
        type: 'gradual',
        startDate: draft.startDate,
        startPercentage: draft.startPercentage,
        stages: [{ type: 'linear', percentage: draft.endPercentage, date: draft.endDate }]
      }
    case 'steps': {
      const isGradual = draft.isGradual && draft.steps.every(({ change }) => change === 'grow')
      return {
        type: isGradual ? 'gradual' : 'stepped',
        startDate: draft.startDate,
        startPercentage: draft.startPercentage,
        stages: draft.steps.map(({ change, percentage, date }) => ({
          type: change === 'grow' ? 'linear' : 'discrete',
          percentage,
          date
        }))
      }
    }
  }
}

/** Returns the rows of the table of points. A missing date is NaN. */
export function rolloutRows(draft: RolloutDraft, now: number): readonly RolloutRow[] {
  if (draft.form === 'everybody') return []
  const row = (name: string, date: string, share: number, change: RolloutRow['change']): RolloutRow => {
    const at = Date.parse(date)
    return { row: name, at, share, change, isPast: at <= now }
  }
  const start = row('start', draft.startDate, draft.form === 'moment' ? 1 : draft.startPercentage, 'jump')
  if (draft.form === 'moment' || draft.form === 'fixed') return [start]
  if (draft.form === 'evenly') return [start, row('end', draft.endDate, draft.endPercentage, 'grow')]
  return [start, ...draft.steps.map((step) => row(step.key, step.date, step.percentage, step.change))]
}
