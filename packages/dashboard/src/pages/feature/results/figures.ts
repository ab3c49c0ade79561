import type { Metric } from '@burgee/contract/schemas'
import { dimensionWords } from '../../../components/metrics/metricWords.ts'

/** Two ends of an interval. */
interface Interval {
  readonly low: number
  readonly high: number
}

const counts = new Intl.NumberFormat('en', { maximumFractionDigits: 2 })
const percent = new Intl.NumberFormat('en', { style: 'percent', maximumFractionDigits: 1 })
const share = new Intl.NumberFormat('en', { style: 'percent', maximumSignificantDigits: 3 })
const figure = new Intl.NumberFormat('en', { maximumSignificantDigits: 4 })
const change = new Intl.NumberFormat('en', { style: 'percent', maximumFractionDigits: 1, signDisplay: 'exceptZero' })
const difference = new Intl.NumberFormat('en', { maximumSignificantDigits: 3, signDisplay: 'exceptZero' })

/** A number of users, events or values. */
export const formatCount = (value: number): string => counts.format(value)

/** A share without a sign, for example "50%". */
export const formatPercent = (value: number): string => percent.format(value)

/** A relative difference with its sign, for example "+12.4%". */
export const formatChange = (value: number): string => change.format(value)

/** The figure of a variation: a share of users, or a mean. */
export function formatFigure(value: number, dimension: Metric['dimension']): string {
  return dimensionWords[dimension].isShare ? share.format(value) : figure.format(value)
}

/** The interval of a relative difference, for example "+3.1% to +22.9%". */
export const formatInterval = ({ low, high }: Interval): string => `${change.format(low)} to ${change.format(high)}`

/** The interval of a difference that is not relative to the control: of shares in percentage points. */
export function formatDifference({ low, high }: Interval, dimension: Metric['dimension']): string {
  if (!dimensionWords[dimension].isShare) return `${difference.format(low)} to ${difference.format(high)}`
  return `${difference.format(low * 100)} to ${difference.format(high * 100)} percentage points`
}

/** A p-value; very small ones as a bound. */
export function formatP(value: number): string {
  return isTiny(value) ? '< 0.0001' : roundP(value)
}

/** A p-value as an equation, such as "p = 0.041" and "p < 0.0001". */
export function formatPEquation(value: number): string {
  return `p ${isTiny(value) ? '<' : '='} ${isTiny(value) ? '0.0001' : roundP(value)}`
}

const isTiny = (value: number): boolean => value < 0.0001

const roundP = (value: number): string => (value > 0.99 ? '1' : String(Number(value.toPrecision(2))))
