import { type EnvironmentStatus, movementWords } from '@burgee/contract/words'
import { dateFormat } from '../../preferences/dateFormat.ts'
import type { StatusIconState } from './StatusIcon.tsx'

const whole = new Intl.NumberFormat('en', { style: 'percent', maximumFractionDigits: 0 })
const exact = new Intl.NumberFormat('en', { style: 'percent', maximumFractionDigits: 2 })
const date = dateFormat({ day: 'numeric', month: 'short' })

/** The text of a status in an environment, for example "20% of matching users". */
export function describeStatus(status: EnvironmentStatus): string {
  switch (status.status) {
    case 'split':
      return describeSplit(status.variations.length)
    case 'partly': {
      const { words, detail } = describePartly(status)
      if (detail === undefined) return words
      return status.share === undefined || status.trend !== 'steady' ? `${words}, ${detail}` : `${words} ${detail}`
    }
    case 'scheduled':
      return `scheduled, ${date(status.from)}`
    default:
      return status.status
  }
}

/** The text of a status with a share. The detail is the base of the share. */
export function describePartly(status: {
  readonly share?: number | undefined
  readonly trend?: 'rising' | 'falling' | 'steady' | undefined
  /** Epoch milliseconds. */
  readonly changesAt?: number | undefined
  readonly isFiltered?: boolean | undefined
}): { readonly words: string; readonly detail?: string } {
  const { share, trend = 'steady', isFiltered = false } = status
  const movement = movementWords(status, date)
  if (share === undefined)
    return { words: movement === '' ? 'some users' : `some users, ${movement}`, detail: 'share varies by target' }
  const separator = status.changesAt === undefined ? ' ' : ', '
  const words = movement === '' ? formatShare(share) : `${formatShare(share)}${separator}${movement}`
  if (isFiltered) return { words, detail: 'of matching users' }
  return { words: share === 0 && trend === 'steady' ? 'on, no users' : words }
}

/** The text for a feature that is on and splits its users between variations. */
export function describeSplit(count: number): string {
  return `on, ${count} variations`
}

/** The icon of a status. */
export function statusIconOf(status: EnvironmentStatus): { readonly state: StatusIconState; readonly share?: number } {
  if (status.status === 'split') return { state: 'on' }
  if (status.status === 'partly') return { state: 'partly', share: status.share ?? 0.5 }
  return { state: status.status }
}

/** A share in whole percent, with decimals where rounding would give 0% or 100%. */
function formatShare(share: number): string {
  const isRoundable = share === 0 || share === 1 || (share >= 0.01 && share < 0.99)
  return (isRoundable ? whole : exact).format(share)
}
