import { useEffect, useState } from 'react'
import { dateFormat } from '../look/dateFormat.ts'

const STEPS: readonly (readonly [Intl.RelativeTimeFormatUnit, number])[] = [
  ['day', 86_400_000],
  ['hour', 3_600_000],
  ['minute', 60_000]
]

const relative = new Intl.RelativeTimeFormat('en', { numeric: 'auto' })
const localDates = dateFormat({ dateStyle: 'medium' })
const DAY = 86_400_000
const dates = new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeZone: 'UTC' })
const exact = dateFormat({ dateStyle: 'medium', timeStyle: 'short' })

/** "3 minutes ago", "in 2 days"; the date when it is further away. */
export function formatRelative(moment: number, now: number): string {
  const distance = moment - now
  if (Math.abs(distance) > 30 * 86_400_000) return localDates(moment)
  const step = STEPS.find(([, length]) => Math.abs(distance) >= length)
  if (!step) return distance > 0 ? 'in a moment' : 'just now'
  return relative.format(Math.round(distance / step[1]), step[0])
}

/** Date and time in the chosen time zone. */
export function formatMoment(moment: string | number): string {
  return exact(moment)
}

/** A day without a time, in UTC: "today", "yesterday", "5 days ago"; the date when it is further away. */
export function Day({ value }: { readonly value: string }) {
  const day = Date.parse(value)
  const distance = Math.floor(Date.now() / DAY) - Math.floor(day / DAY)
  const text = distance > 30 ? dates.format(day) : relative.format(-distance, 'day')
  return (
    <time dateTime={value.slice(0, 10)} title={dates.format(day)}>
      {text}
    </time>
  )
}

/** How long ago a moment is; the exact moment in its tooltip. */
export function Time({ value }: { readonly value: string }) {
  const [, setTick] = useState(0)
  useEffect(() => {
    const timer = setInterval(() => setTick((tick) => tick + 1), 60_000)
    return () => clearInterval(timer)
  }, [])
  return (
    <time dateTime={value} title={formatMoment(value)}>
      {formatRelative(Date.parse(value), Date.now())}
    </time>
  )
}
