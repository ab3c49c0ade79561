import type { StatusInEnvironment } from '@burgee/contract/schemas'
import { movementWords } from '@burgee/contract/words'
import { formatPercentage } from '../../document/percentage.ts'

/** Describes the status of a flag in an environment in a few words: `on`, `20% rising`, `killed`. */
export function statusWords(found: StatusInEnvironment): string {
  const { status, variations = [], share, trend, changesAt, isFiltered, from } = found
  if (status === 'on') return variations.length > 0 ? `on: ${variations.join(', ')}` : 'on'
  if (status === 'split') return `split: ${variations.join(', ')}`
  if (status === 'scheduled') return from ? `from ${from.slice(0, 10)}` : 'scheduled'
  if (status !== 'partly') return status
  const step = changesAt === undefined ? undefined : Date.parse(changesAt)
  const movement = movementWords({ trend, changesAt: step }, (time) => new Date(time).toISOString().slice(0, 10))
  const isSteady = movement === ''
  if (share === undefined) return `some users${isSteady ? '' : `, ${movement}`}, share varies by target`
  if (share === 0 && isSteady) return 'on, no users'
  const words = isSteady ? formatShare(share) : `${formatShare(share)}${step === undefined ? ' ' : ', '}${movement}`
  return isFiltered ? `${words}${isSteady ? '' : ','} of matching users` : words
}

/** Formats a share from 0 to 1: `20%`. */
export function formatShare(share: number): string {
  return formatPercentage(Number(share.toFixed(4)))
}
