import { useEffect, useState } from 'react'
import { dateFormat } from '../preferences/dateFormat.ts'
import styles from './Time.module.css'

const DAY = 86_400_000

const STEPS: readonly (readonly [Intl.RelativeTimeFormatUnit, number])[] = [
  ['day', DAY],
  ['hour', 3_600_000],
  ['minute', 60_000]
]

const relative = new Intl.RelativeTimeFormat('en', { numeric: 'auto' })
const localDates = dateFormat({ dateStyle: 'medium' })
const dates = new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeZone: 'UTC' })
const exact = dateFormat({ dateStyle: 'medium', timeStyle: 'short' })

/** "3 minutes ago", "in 2 days"; the date when it is further away. */
export function formatRelative(moment: number, now: number): string {
  const distance = moment - now
  if (Math.abs(distance) > 30 * DAY) return localDates(moment)
  const step = STEPS.find(([, length]) => Math.abs(distance) >= length)
  if (!step) return distance > 0 ? 'in a moment' : 'just now'
  return relative.format(Math.round(distance / step[1]), step[0])
}

/** Date and time in the chosen time zone. */
export function formatMoment(moment: string | number): string {
  return exact(moment)
}

/** A day without a time, in UTC: "today", "yesterday", "5 days ago"; the date when it is further away, or after a click. */
export function Day({ value }: { readonly value: string }) {
  const day = Date.parse(value)
  const distance = Math.floor(Date.now() / DAY) - Math.floor(day / DAY)
  const date = dates.format(day)
  return (
    <Toggle
      dateTime={value.slice(0, 10)}
      exact={date}
      text={distance > 30 ? date : relative.format(-distance, 'day')}
    />
  )
}

interface Props {
  readonly value: string
  /** Whether the tooltip is formatted only when a pointer is there. For rows that scroll: it takes time. */
  readonly isTitleLazy?: boolean
  /** Whether it is in a link or button, which takes its clicks. */
  readonly isInControl?: boolean
}

/**
 * How long ago a moment is. A click, a touch or a key shows the exact moment, and a tooltip does, which assistive
 * technology reads as the description.
 */
export function Time({ value, isTitleLazy = false, isInControl = false }: Props) {
  const [, setTick] = useState(0)
  useEffect(() => {
    const timer = setInterval(() => setTick((tick) => tick + 1), 60_000)
    return () => clearInterval(timer)
  }, [])
  const text = formatRelative(Date.parse(value), Date.now())
  if (isTitleLazy) return <LazyTitle value={value} text={text} />
  if (!isInControl) return <Toggle dateTime={value} exact={formatMoment(value)} text={text} />
  return (
    <time dateTime={value} title={formatMoment(value)}>
      {text}
    </time>
  )
}

function LazyTitle({ value, text }: { readonly value: string; readonly text: string }) {
  const [isPointed, setPointed] = useState(false)
  return (
    <time dateTime={value} title={isPointed ? formatMoment(value) : undefined} onPointerEnter={() => setPointed(true)}>
      {text}
    </time>
  )
}

interface ToggleProps {
  readonly dateTime: string
  readonly exact: string
  readonly text: string
}

function Toggle({ dateTime, exact, text }: ToggleProps) {
  const [isExact, setExact] = useState(false)
  return (
    <button type="button" className={styles.time} title={isExact ? text : exact} onClick={() => setExact(!isExact)}>
      <time dateTime={dateTime}>{isExact ? exact : text}</time>
    </button>
  )
}
