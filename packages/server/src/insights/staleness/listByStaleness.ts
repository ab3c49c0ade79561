import type { StoredConfiguration, StoredFeature } from '../../storage/resources/feature.ts'
import type { Page, Query, Store } from '../../storage/store.ts'
import { isSilenced, type StalenessFinding } from './findStaleness.ts'
import type { StalenessInspector } from './inspectProject.ts'

/** Selects features by their staleness, and whether it is silenced. */
export type StalenessPredicate = (finding: StalenessFinding | undefined, isSilenced: boolean) => boolean

/** Returns a page of the features that match a query and a staleness predicate. */
export async function listByStaleness(
  store: Store,
  inspector: StalenessInspector,
  { page = 1, perPage, ...query }: Query<StoredFeature>,
  matches: StalenessPredicate
): Promise<Page<StoredFeature>> {
  const { items } = await store.collection('features').list(query)
  const configurations = await configurationsByFeature(store, inspector.productionEnvironments)
  const matching = items.filter((feature) => {
    const finding = inspector.find({ feature, configurations: configurations.get(feature._id) ?? [] })
    return matches(finding, isSilenced(feature, inspector.at))
  })
  const start = perPage === undefined ? 0 : (page - 1) * perPage
  return { items: matching.slice(start, perPage === undefined ? undefined : start + perPage), count: matching.length }
}

/** Returns the predicate of the query parameter `staleness`. */
export function stalenessPredicate(
  wanted: 'all' | 'unused' | 'released' | 'unmodified' | 'notStale'
): StalenessPredicate {
  return (finding, silenced) => {
    const reason = silenced ? undefined : finding?.reason
    if (wanted === 'notStale') return reason === undefined
    if (wanted === 'all') return reason !== undefined
    if (wanted === 'unmodified') return reason === 'unmodifiedShort' || reason === 'unmodifiedLong'
    return reason === wanted
  }
}

/** Returns the configurations in the given environments, by feature id. */
export async function configurationsByFeature(
  store: Store,
  environments: ReadonlySet<string>
): Promise<ReadonlyMap<string, readonly StoredConfiguration[]>> {
  const byFeature = new Map<string, StoredConfiguration[]>()
  for (const _environment of environments) {
    const { items } = await store.collection('configurations').list({ where: { _environment } })
    for (const item of items) byFeature.set(item._feature, [...(byFeature.get(item._feature) ?? []), item])
  }
  return byFeature
}
