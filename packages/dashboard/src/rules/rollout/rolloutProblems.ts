import { MAX_ROLLOUT_STAGES } from '@burgee/contract/schemas'
import { formatHundredths, toHundredths } from '../percent.ts'
import { type RolloutDraft, rolloutRows } from './rolloutDraft.ts'

/** A problem of a row of the form. `row` is `start`, `end`, `steps` for the list as a whole, or the key of a step. */
export interface RolloutProblem {
  readonly row: string
  readonly field: 'date' | 'percentage'
  readonly message: string
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
              message: `enter a share from 0 to 100%, not ${describePercentage(share)}`
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
  if (text === '') return 'enter a date'
  if (!isDate(text)) return `enter a date in the years 1000 to 9999, not “${text}”`
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
  return Number.isNaN(share) ? 'nothing' : `${formatHundredths(toHundredths(share))}%`
}
