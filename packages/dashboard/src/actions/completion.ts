import { environmentStates, servedInProduction } from '@burgee/contract/rules'
import type { Environment, Feature, UpdateFeature } from '@burgee/contract/schemas'

/** The update that serves one variation to everyone where a feature is on: the effect of completing it. */
export function completionUpdate({ configurations }: Feature, variation: string): UpdateFeature {
  const targets = [
    {
      name: 'All users',
      audience: { filters: { operator: 'and' as const, filters: [{ type: 'all' as const }] } },
      distribution: [{ _variation: variation, percentage: 1 }]
    }
  ]
  return {
    configurations: Object.fromEntries(
      configurations
        .filter(({ status }) => status === 'active')
        .map(({ _environment }) => [_environment, { status: 'active' as const, targets }])
    )
  }
}

/** The key of the variation to propose: what all users get in production, else what most configurations serve last. */
export function proposedVariation(
  feature: Feature,
  environments: readonly Pick<Environment, '_id' | 'key' | 'type'>[],
  now: number
): string {
  return servedInProduction(environmentStates(feature, environments, now)).variation ?? mostServed(feature)
}

function mostServed({ configurations, variations }: Feature): string {
  const counts = new Map<string, number>()
  for (const { status, targets } of configurations) {
    const served = targets.at(-1)?.distribution.toSorted((a, b) => b.percentage - a.percentage)[0]?._variation
    if (status === 'active' && served !== undefined) counts.set(served, (counts.get(served) ?? 0) + 1)
  }
  const [best] = [...counts].toSorted(([, a], [, b]) => b - a)
  return variations.find(({ _id }) => _id === best?.[0])?.key ?? variations[0]?.key ?? ''
}
