import type { StatusInEnvironment } from '@burgee/contract/schemas'
import { dateFormat } from '../../look/dateFormat.ts'
import type { PennantState } from '../../parts/feature/Pennant.tsx'
import { formatShare, severalWords } from '../../parts/feature/statusWords.ts'

/** A status as it is drawn and said. */
export interface StatusWords {
  readonly state: PennantState
  readonly share?: number
  readonly words: string
  /** What else matters, in smaller letters. */
  readonly detail?: string
}

const day = dateFormat({ day: 'numeric', month: 'short', hour: '2-digit', minute: '2-digit' })

/** Returns the words of the status of a feature in an environment. */
export function describeStatus(status: StatusInEnvironment | undefined): StatusWords {
  switch (status?.status) {
    case 'on':
      return {
        state: 'on',
        words: 'on',
        ...(status.variations?.[0] ? { detail: `everyone → ${status.variations[0]}` } : {})
      }
    case 'split':
      return { state: 'on', words: severalWords(status.variations?.length ?? 0) }
    case 'partly':
      return partlyWords(status)
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

function partlyWords({ share, trend = 'steady', isFiltered = false }: StatusInEnvironment): StatusWords {
  if (share === 0 && trend === 'steady' && !isFiltered) return { state: 'partly', share, words: 'on, for nobody' }
  const movement = trend === 'steady' ? '' : ` ${trend}`
  const detail = isFiltered ? { detail: 'of those who match' } : {}
  if (share === undefined) return { state: 'partly', share: 0.5, words: `partly${movement}`, ...detail }
  return { state: 'partly', share, words: `${formatShare(share)}${movement}`, ...detail }
}
