import type { ProjectEvaluations } from '@burgee/contract/schemas'
import type { AnalyticsSearch } from './search.ts'

/** A period and its count. */
export type Row = ProjectEvaluations['result']['evaluations'][number]

/** The form of the starts of periods. Days and months are those of UTC, as the server counts them. */
export function periodFormat(period: AnalyticsSearch['period']): Intl.DateTimeFormat {
  if (period === 'month') return new Intl.DateTimeFormat('en-GB', { month: 'long', year: 'numeric', timeZone: 'UTC' })
  if (period === 'day') return new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeZone: 'UTC' })
  return new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeStyle: 'short' })
}

/** The rows as comma-separated values with a header. */
export function toCsv(rows: readonly Row[], count: string): string {
  return [`start,${count}`, ...rows.map(({ date, value }) => `${date},${value}`)].join('\n')
}
