import type { ProjectEvaluations } from '@burgee/contract/schemas'
import { formatMoment } from '../../components/Time.tsx'
import type { AnalyticsSearch } from './search.ts'

/** A period and its count. */
export type Row = ProjectEvaluations['result']['evaluations'][number]

/** The form of the starts of periods. Days and months are those of UTC, as the server counts them. */
export function periodFormat(period: AnalyticsSearch['period']): (moment: string) => string {
  if (period === 'month') return inUtc({ month: 'long', year: 'numeric' })
  if (period === 'day') return inUtc({ dateStyle: 'medium' })
  return formatMoment
}

function inUtc(options: Intl.DateTimeFormatOptions): (moment: string) => string {
  const format = new Intl.DateTimeFormat('en-GB', { ...options, timeZone: 'UTC' })
  return (moment) => format.format(new Date(moment))
}

/** The rows as comma-separated values with a header. */
export function toCsv(rows: readonly Row[], count: string): string {
  return [`start,${count}`, ...rows.map(({ date, value }) => `${date},${value}`)].join('\n')
}
