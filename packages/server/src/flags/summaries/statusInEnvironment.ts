import type { StatusInEnvironment } from '@burgee/contract/schemas'
import { environmentStatus } from '@burgee/contract/words'
import { toIsoString } from '../../lib/time.ts'
import type { StoredConfiguration, StoredFeature } from '../../storage/resources/feature.ts'

interface Options {
  /** Epoch milliseconds. */
  readonly now: number
  readonly disablePassthroughRollouts: boolean
}

/** Returns the status of a feature in an environment, in which it has this configuration or none. */
export function statusInEnvironment(
  { status: featureStatus, variations, staticVariation }: StoredFeature,
  configuration: StoredConfiguration | undefined,
  options: Options
): StatusInEnvironment {
  const { status = 'inactive', targets = [], killedAt } = configuration ?? {}
  const find = (id: string) => variations.find(({ _id }) => _id === id)
  const keyOf = (id: string) => find(id)?.key ?? id
  const found = environmentStatus(
    { status, targets, killedAt, hasStaticConfig: featureStatus === 'complete' },
    { ...options, staticVariation: variations.find(({ key }) => key === staticVariation)?._id }
  )
  switch (found.status) {
    case 'on': {
      if (found.variation === undefined) return { status: 'on' }
      const name = find(found.variation)?.name
      return {
        status: 'on',
        variations: [keyOf(found.variation)],
        ...(name === undefined ? {} : { variationName: name })
      }
    }
    case 'split':
      return { status: 'split', variations: found.variations.map(keyOf) }
    case 'scheduled':
      return { status: 'scheduled', from: toIsoString(found.from) }
    case 'partly': {
      const { share, trend, changesAt, isFiltered } = found
      return {
        status: 'partly',
        ...(share === undefined ? {} : { share: round(share) }),
        trend,
        ...(changesAt === undefined ? {} : { changesAt: toIsoString(changesAt) }),
        isFiltered
      }
    }
    case 'killed':
      return { status: 'killed', since: toIsoString(found.since) }
    case 'off':
      return { status: 'off' }
  }
}

/** Rounds a share to a hundredth of a percent, and never to nobody or everyone. */
function round(share: number): number {
  if (share <= 0 || share >= 1) return share
  return Math.min(0.9999, Math.max(0.0001, Math.round(share * 10_000) / 10_000))
}
