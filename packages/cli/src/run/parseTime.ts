/** Parses a date, which starts in UTC, or a time with a time zone. Returns it as ISO 8601; empty if the text is. */
export function parseTime(text: string): string | undefined {
  if (text === '') return ''
  const [, day, time = 'T00:00Z'] = TIME.exec(text) ?? []
  if (day === undefined) return undefined
  const moment = Date.parse(`${day}${time}`)
  return isDay(day) && !Number.isNaN(moment) ? new Date(moment).toISOString() : undefined
}

/** The meaning of a time without a zone would depend on the computer. */
const TIME = /^(\d{4}-\d\d-\d\d)(T\d\d:\d\d(?::\d\d(?:\.\d+)?)?(?:Z|[+-]\d\d:\d\d))?$/

/** Whether a day is in the calendar: `Date.parse` reads February 31 as March 3. */
function isDay(day: string): boolean {
  const start = Date.parse(`${day}T00:00Z`)
  return !Number.isNaN(start) && new Date(start).toISOString().startsWith(day)
}
