import type { EnvironmentPreview } from '@burgee/contract/schemas'

const numbers = new Intl.NumberFormat('en')
const percent = new Intl.NumberFormat('en', { style: 'percent', maximumFractionDigits: 1 })

/**
 * Returns the share of a sample of users that would get another variation, and what it is a share of, for example
 * `12.5%` and `of 1,000 recent users`.
 */
export function affectedShare({
  moved,
  sampleSize,
  source
}: Pick<EnvironmentPreview, 'moved' | 'sampleSize' | 'source'>): {
  readonly share: string
  readonly base: string
} {
  const users = source === 'recent' ? 'recent users' : 'synthetic users'
  return {
    share: moved.count === 0 ? 'None' : percent.format(moved.share),
    base: `of ${numbers.format(sampleSize)} ${users}`
  }
}
