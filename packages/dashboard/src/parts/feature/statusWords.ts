import type { EnvironmentStatus } from '@burgee/contract/words'
import { dateFormat } from '../../look/dateFormat.ts'
import type { PennantState } from './Pennant.tsx'

const whole = new Intl.NumberFormat('en', { style: 'percent', maximumFractionDigits: 0 })
const exact = new Intl.NumberFormat('en', { style: 'percent', maximumFractionDigits: 2 })
const date = dateFormat({ day: 'numeric', month: 'short' })

/** The words of a status in an environment, as in "partly, 20% rising". */
export function statusWords(status: EnvironmentStatus): string {
  switch (status.status) {
    case 'split':
      return severalWords(status.variations.length)
    case 'partly': {
      if (status.share === 1 && status.trend === 'steady') return 'partly, all who match'
      const share = status.share === undefined ? 'partly' : `partly, ${formatShare(status.share)}`
      return status.trend === 'steady' ? share : `${share} ${status.trend}`
    }
    case 'scheduled':
      return `scheduled, ${date(status.from)}`
    default:
      return status.status
  }
}

/** The words of a feature that is on and divides its users between variations. */
export function severalWords(count: number): string {
  return `on, ${count} variations`
}

/** How a status is drawn. */
export function pennantOf(status: EnvironmentStatus): { readonly state: PennantState; readonly share?: number } {
  if (status.status === 'split') return { state: 'on' }
  if (status.status === 'partly') return { state: 'partly', share: status.share ?? 0.5 }
  return { state: status.status }
}

/** A share in whole percent, with decimals where rounding would give 0 % or 100 %. */
export function formatShare(share: number): string {
  const isRoundable = share === 0 || share === 1 || (share >= 0.01 && share < 0.99)
  return (isRoundable ? whole : exact).format(share)
}
