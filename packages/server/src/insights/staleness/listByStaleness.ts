import type { StoredConfiguration, StoredFeature } from '../../storage/resources.ts'
import type { Page, Query, Store } from '../../storage/store.ts'
import type { StalenessFinding } from './findStaleness.ts'
import type { StalenessInspector } from './inspectProject.ts'
import { isSilenced } from './isSilenced.ts'

/** What is kept of a list: whatever this says of the finding about a feature, and whether that is silenced. */
export type StalenessPredicate = (finding: StalenessFinding | undefined, isSilenced: boolean) => boolean

/** The page of a list of features that is left when only some of them are kept for their staleness. */
export async function listByStaleness(
  store: Store,
  inspector: StalenessInspector,
  { page = 1, perPage, ...query }: Query<StoredFeature>,
  keeps: StalenessPredicate
): Promise<Page<StoredFeature>> {
  const { items } = await store.collection('features').list(query)
  const configurations = await configurationsByFeature(store, inspector.productionEnvironments)
  const kept = items.filter((feature) => {
    const finding = inspector.find({ feature, configurations: configurations.get(feature._id) ?? [] })
    return keeps(finding, isSilenced(feature, inspector.at))
  })
  const start = perPage === undefined ? 0 : (page - 1) * perPage
  return { items: kept.slice(start, perPage === undefined ? undefined : start + perPage), count: kept.length }
}

/** The filter of a list that asks for all that are stale, for some reasons, or for the rest. */
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

/** What features do in some environments, by id of the feature. */
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
