import { MAX_ROLLOUT_STAGES, type Rollout } from '@burgee/contract/schemas'
import { formatHundredths, toHundredths } from './percent.ts'

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

/** The form of a rollout: everybody at once, from a moment, growing evenly, or in steps. */
export type RolloutDraft =
  | { readonly form: 'everybody' }
  | { readonly form: 'moment'; readonly startDate: string }
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

/** A problem of a row of the form. `row` is `start`, `end`, `steps` for the list as a whole, or the key of a step. */
export interface RolloutProblem {
  readonly row: string
  readonly field: 'date' | 'percentage'
  readonly message: string
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

const MINUTE = 60_000
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR

/** Names of the presets, in the order of the menu. */
export const rolloutPresets = ['week', 'tenADay', 'rollBack'] as const
export type RolloutPreset = (typeof rolloutPresets)[number]

/** Creates the form of a rollout. Members that a stored schedule has and evaluation ignores are dropped. */
export function toRolloutDraft(rollout: Rollout | null | undefined): RolloutDraft {
  if (!rollout) return { form: 'everybody' }
  const { type, startDate, startPercentage = 0, stages = [] } = rollout
  if (type === 'schedule') return { form: 'moment', startDate }
  const [first] = stages
  if (type === 'gradual' && first?.type === 'linear' && stages.length === 1) {
    return { form: 'evenly', startDate, startPercentage, endDate: first.date, endPercentage: first.percentage }
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

/** Returns the rollout for the API, or undefined for everybody at once. */
export function toRollout(draft: RolloutDraft): Rollout | undefined {
  switch (draft.form) {
    case 'everybody':
      return undefined
    case 'moment':
      return { type: 'schedule', startDate: draft.startDate }
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

/** Returns the draft in another form. Keeps the dates and percentages that both forms have; `now` starts new ones. */
export function withForm(draft: RolloutDraft, form: RolloutDraft['form'], now: number): RolloutDraft {
  if (draft.form === form) return draft
  const startDate = draft.form === 'everybody' ? toDate(startOfMinute(now)) : draft.startDate
  const startPercentage = 'startPercentage' in draft ? draft.startPercentage : 0
  const start = Date.parse(startDate)
  const weekLater = Number.isNaN(start) ? '' : toDate(start + 7 * DAY)
  switch (form) {
    case 'everybody':
      return { form }
    case 'moment':
      return { form, startDate }
    case 'evenly': {
      const last = draft.form === 'steps' ? draft.steps.at(-1) : undefined
      const endPercentage = last?.percentage ?? 1
      return { form, startDate, startPercentage, endDate: last?.date ?? weekLater, endPercentage }
    }
    case 'steps': {
      const [percentage, date] =
        draft.form === 'evenly' ? [draft.endPercentage, draft.endDate] : ([1, weekLater] as const)
      const change = draft.form === 'evenly' ? 'grow' : 'jump'
      return { form, startDate, startPercentage, steps: [{ key: '1', change, percentage, date }], nextKey: 2 }
    }
  }
}

/** Creates the draft of a preset that begins now, at the full minute. `rollBack` begins at the share of `current`. */
export function presetRollout(preset: RolloutPreset, current: RolloutDraft, now: number): RolloutDraft {
  const start = startOfMinute(now)
  switch (preset) {
    case 'week':
      return jumps(start, (7 * DAY) / 4, [0.01, 0.05, 0.25, 0.5, 1])
    case 'tenADay':
      return jumps(
        start,
        DAY,
        Array.from({ length: 10 }, (_, index) => (index + 1) / 10)
      )
    case 'rollBack': {
      const startPercentage = Math.round(shareAt(toRollout(current), start) * 10_000) / 10_000
      const [startDate, endDate] = [toDate(start), toDate(start + HOUR)]
      return { form: 'evenly', startDate, startPercentage, endDate, endPercentage: 0 }
    }
  }
}

/** Returns the draft with one step more, a day and 10 % after the last one. Returns other forms and full lists as is. */
export function addStep(draft: RolloutDraft): RolloutDraft {
  if (draft.form !== 'steps' || draft.steps.length >= MAX_ROLLOUT_STAGES) return draft
  const { percentage, date } = draft.steps.at(-1) ?? { percentage: draft.startPercentage, date: draft.startDate }
  const last = Date.parse(date)
  const step: RolloutStep = {
    key: String(draft.nextKey),
    change: draft.steps.at(-1)?.change ?? 'jump',
    percentage: Math.min(1, Math.round((percentage + 0.1) * 10_000) / 10_000),
    date: Number.isNaN(last) ? '' : toDate(last + DAY)
  }
  return { ...draft, steps: [...draft.steps, step], nextKey: draft.nextKey + 1 }
}

/** Returns the draft with members of a step replaced. */
export function updateStep(draft: RolloutDraft, key: string, update: Partial<Omit<RolloutStep, 'key'>>): RolloutDraft {
  if (draft.form !== 'steps') return draft
  return { ...draft, steps: draft.steps.map((step) => (step.key === key ? { ...step, ...update } : step)) }
}

/** Returns the draft without a step. */
export function removeStep(draft: RolloutDraft, key: string): RolloutDraft {
  if (draft.form !== 'steps') return draft
  return { ...draft, steps: draft.steps.filter((step) => step.key !== key) }
}

/**
 * Returns the share of users, from 0 to 1, that a rollout admits at a moment (docs/reference/evaluation.md, Rollouts),
 * without the share of 0 at the exact millisecond at which a linear stage begins.
 */
export function shareAt(rollout: Rollout | null | undefined, moment: number): number {
  if (!rollout) return 1
  const start = Date.parse(rollout.startDate)
  if (rollout.type === 'schedule') return moment >= start ? 1 : 0
  let current = start <= moment ? { date: start, percentage: rollout.startPercentage ?? 0 } : undefined
  for (const stage of rollout.stages ?? []) {
    const date = Date.parse(stage.date)
    if (date <= moment) {
      current = { date, percentage: stage.percentage }
      continue
    }
    if (!current || stage.type === 'discrete') break
    const progress = (moment - current.date) / (date - current.date)
    return current.percentage + (stage.percentage - current.percentage) * progress
  }
  return current?.percentage ?? 0
}

/**
 * Returns the vertices of the curve from `from` to `to` in epoch milliseconds. Returns none while a date of the draft is
 * missing or the dates are not in order.
 */
export function rolloutCurve(draft: RolloutDraft, from: number, to: number): readonly CurvePoint[] {
  if (rolloutProblems(draft).some(({ field }) => field === 'date')) return []
  const rollout = toRollout(draft)
  const points = rolloutRows(draft, from).flatMap(({ at, share, change }): CurvePoint[] =>
    change === 'jump'
      ? [
          { at, share: shareAt(rollout, at - 1) },
          { at, share }
        ]
      : [{ at, share }]
  )
  const inside = points.filter(({ at }) => at > from && at < to)
  return [{ at: from, share: shareAt(rollout, from) }, ...inside, { at: to, share: shareAt(rollout, to) }]
}

/** Returns the moments from which to which the curve is drawn: all dates and now, and a tenth more on both sides. */
export function curveRange(draft: RolloutDraft, now: number): readonly [from: number, to: number] {
  const moments = [now, ...rolloutRows(draft, now).map(({ at }) => at)].filter((at) => !Number.isNaN(at))
  const [first, last] = [Math.min(...moments), Math.max(...moments)]
  const margin = Math.max(HOUR, (last - first) / 10)
  return [first - margin, last + margin]
}

/** Returns the rows of the table of points. A missing date is NaN. */
export function rolloutRows(draft: RolloutDraft, now: number): readonly RolloutRow[] {
  if (draft.form === 'everybody') return []
  const row = (name: string, date: string, share: number, change: RolloutRow['change']): RolloutRow => {
    const at = Date.parse(date)
    return { row: name, at, share, change, isPast: at <= now }
  }
  const start = row('start', draft.startDate, draft.form === 'moment' ? 1 : draft.startPercentage, 'jump')
  if (draft.form === 'moment') return [start]
  if (draft.form === 'evenly') return [start, row('end', draft.endDate, draft.endPercentage, 'grow')]
  return [start, ...draft.steps.map((step) => row(step.key, step.date, step.percentage, step.change))]
}

/** Returns the problems of a draft, each at its row. A draft without problems is a rollout that the API accepts. */
export function rolloutProblems(draft: RolloutDraft): readonly RolloutProblem[] {
  const rows = rolloutRows(draft, 0)
  const dates = rows.map(({ row }) => dateOf(draft, row))
  const problems = rows.flatMap(({ row, share }, index): RolloutProblem[] => {
    const date = dateProblem(dates, index, draft)
    return [
      ...(date === undefined ? [] : [{ row, field: 'date', message: date } as const]),
      ...(share >= 0 && share <= 1
        ? []
        : [
            {
              row,
              field: 'percentage',
              message: `give a share from 0 to 100 %, not ${describePercentage(share)}`
            } as const
          ])
    ]
  })
  return draft.form === 'steps' ? [...problems, ...stepCountProblems(draft.steps.length)] : problems
}

function stepCountProblems(count: number): readonly RolloutProblem[] {
  if (count === 0) return [{ row: 'steps', field: 'date', message: 'add a step' }]
  if (count <= MAX_ROLLOUT_STAGES) return []
  const message = `use at most ${MAX_ROLLOUT_STAGES} steps, not ${count}`
  return [{ row: 'steps', field: 'date', message }]
}

function dateProblem(dates: readonly string[], index: number, { form }: RolloutDraft): string | undefined {
  const text = dates[index] ?? ''
  if (text === '') return 'give a date'
  if (!isDate(text)) return `write a date in the years 1000 to 9999, not “${text}”`
  // The latest earlier date: after one wrong row, the rows after it are compared with what it should have kept.
  const earlier = dates.slice(0, index).findLastIndex((date) => isDate(date) && Date.parse(date) > Date.parse(text))
  return earlier === -1 ? undefined : `${rowName(index, form)} is before ${rowName(earlier, form)}`
}

function rowName(index: number, form: RolloutDraft['form']): string {
  if (index === 0) return 'the start'
  return form === 'evenly' ? 'the end' : `step ${index}`
}

function dateOf(draft: RolloutDraft, row: string): string {
  if (draft.form === 'everybody') return ''
  if (row === 'start') return draft.startDate
  if (draft.form === 'evenly') return draft.endDate
  return draft.form === 'steps' ? (draft.steps.find(({ key }) => key === row)?.date ?? '') : ''
}

function isDate(text: string): boolean {
  const moment = Date.parse(text)
  const hasZone = /^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d+)?)?(Z|[+-]\d\d:\d\d)$/.test(text)
  return hasZone && moment >= Date.parse('1000-01-01T00:00:00.000Z') && moment <= Date.parse('9999-12-31T23:59:59.999Z')
}

function describePercentage(share: number): string {
  return Number.isNaN(share) ? 'nothing' : `${formatHundredths(toHundredths(share))} %`
}

function jumps(start: number, interval: number, percentages: readonly number[]): RolloutDraft {
  const [startPercentage = 0, ...later] = percentages
  const steps = later.map(
    (percentage, index): RolloutStep => ({
      key: String(index + 1),
      change: 'jump',
      percentage,
      date: toDate(start + (index + 1) * interval)
    })
  )
  return { form: 'steps', startDate: toDate(start), startPercentage, steps, nextKey: steps.length + 1 }
}

/** A rollout of a feature that is on begins at once: from a later moment on, nobody would get it until then. */
function startOfMinute(now: number): number {
  return Math.floor(now / MINUTE) * MINUTE
}

function toDate(moment: number): string {
  return new Date(moment).toISOString()
}
