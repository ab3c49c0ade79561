import { MAX_ROLLOUT_STAGES } from '@burgee/contract/schemas'
import { rolloutState } from '@burgee/contract/words'
import { type RolloutDraft, type RolloutStep, toRollout } from './rolloutDraft.ts'

const MINUTE = 60_000
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR
/** The fixed share that the form starts with. */
const FIRST_SHARE = 0.1

/** Names of the presets, in the order of the menu. */
export const rolloutPresets = ['week', 'tenADay', 'rollBack'] as const

/** A preset of the menu. */
export type RolloutPreset = (typeof rolloutPresets)[number]

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
    case 'fixed': {
      const isGrowing = draft.form === 'evenly' || draft.form === 'steps'
      const share = isGrowing ? currentShare(draft, now) : FIRST_SHARE
      return { form, startDate: toDate(startOfMinute(now)), startPercentage: share }
    }
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
      const startPercentage = currentShare(current, start)
      const [startDate, endDate] = [toDate(start), toDate(start + HOUR)]
      return { form: 'evenly', startDate, startPercentage, endDate, endPercentage: 0 }
    }
  }
}

/** Returns the draft with one step more, a day and 10% after the last one. Returns other forms and full lists as is. */
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

function currentShare(draft: RolloutDraft, now: number): number {
  return Math.round(rolloutState(toRollout(draft), now).share * 10_000) / 10_000
}

/** A rollout of a feature that is on begins at once: from a later moment on, nobody would get it until then. */
function startOfMinute(now: number): number {
  return Math.floor(now / MINUTE) * MINUTE
}

function toDate(moment: number): string {
  return new Date(moment).toISOString()
}
