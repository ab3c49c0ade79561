import type { EnvironmentStatus } from '@burgee/contract/words'
import { dateFormat } from '../../parts/dateFormat.ts'

const percent = new Intl.NumberFormat('en', { style: 'percent', maximumFractionDigits: 2 })
const date = dateFormat({ day: 'numeric', month: 'short' })

/** The words of a status in an environment, as in "20 %, rising". */
export function statusWords(status: EnvironmentStatus): string {
  switch (status.status) {
    case 'on':
      return 'on'
    case 'split':
      return 'on, split'
    case 'partly': {
      const share = status.share === undefined ? 'partly' : `partly, ${percent.format(status.share)}`
      return status.trend === 'steady' ? share : `${share} ${status.trend}`
    }
    case 'scheduled':
      return `scheduled, ${date(status.from)}`
    default:
      return status.status
  }
}
