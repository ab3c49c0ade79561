import type { StatusInEnvironment } from '@burgee/contract/schemas'

/** Describes the status of a flag in an environment in a few words: `on`, `20% rising`, `killed`. */
export function statusWords({ status, variations = [], share, trend, isFiltered, from }: StatusInEnvironment): string {
  if (status === 'on') return variations.length > 0 ? `on: ${variations.join(', ')}` : 'on'
  if (status === 'split') return `split: ${variations.join(', ')}`
  if (status === 'scheduled') return from ? `from ${from.slice(0, 10)}` : 'scheduled'
  if (status !== 'partly') return status
  const isSteady = trend === undefined || trend === 'steady'
  if (share === undefined) return `some users${isSteady ? '' : `, ${trend}`}, share varies by target`
  if (share === 0 && isSteady) return 'on, no users'
  const words = isSteady ? formatShare(share) : `${formatShare(share)} ${trend}`
  return isFiltered ? `${words}${isSteady ? '' : ','} of matching users` : words
}

/** Formats a share from 0 to 1: `20%`. */
export function formatShare(share: number): string {
  return `${Number((share * 100).toFixed(2))}%`
}
