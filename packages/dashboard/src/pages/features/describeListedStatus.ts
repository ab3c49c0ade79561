import type { StatusInEnvironment } from '@burgee/contract/schemas'
import { describePartly, describeSplit } from '../../components/feature/describeStatus.ts'
import type { StatusIconState } from '../../components/feature/StatusIcon.tsx'
import { dateFormat } from '../../preferences/dateFormat.ts'

/** The icon and the text of a status. */
export interface ListedStatus {
  readonly state: StatusIconState
  readonly share?: number
  readonly words: string
  /** Additional text, in a smaller font. */
  readonly detail?: string
}

const day = dateFormat({ day: 'numeric', month: 'short', hour: '2-digit', minute: '2-digit' })

/** Returns the icon and the text of the status of a feature in an environment. */
export function describeListedStatus(status: StatusInEnvironment | undefined): ListedStatus {
  switch (status?.status) {
    case 'on':
      return {
        state: 'on',
        words: 'on',
        ...(status.variationName === undefined ? {} : { detail: `everyone → ${status.variationName}` })
      }
    case 'split':
      return { state: 'on', words: describeSplit(status.variations?.length ?? 0) }
    case 'partly': {
      const changesAt = status.changesAt === undefined ? undefined : Date.parse(status.changesAt)
      return { state: 'partly', share: status.share ?? 0.5, ...describePartly({ ...status, changesAt }) }
    }
    case 'scheduled':
      return {
        state: 'scheduled',
        words: 'scheduled',
        ...(status.from ? { detail: day(status.from) } : {})
      }
    case 'killed':
      return { state: 'killed', words: 'killed', ...(status.since ? { detail: day(status.since) } : {}) }
    default:
      return { state: 'off', words: 'off' }
  }
}
