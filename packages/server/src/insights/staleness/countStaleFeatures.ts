import { StalenessReason } from '@burgee/contract/schemas'
import type { StoredProject } from '../../storage/resources.ts'
import type { Store } from '../../storage/store.ts'
import type { InspectProject } from './inspectProject.ts'
import { isSilenced } from './isSilenced.ts'
import { configurationsByFeature } from './listByStaleness.ts'

/** How many features of a project are stale and not silenced, by reason. */
export type StaleCounts = Readonly<Record<StalenessReason, number>>

/** What was counted in one project. */
export interface ProjectStaleCounts {
  /** The key of the project. */
  readonly project: string
  readonly counts: StaleCounts
}

/** Counts the stale features of a project; nothing where it does not ask for them. */
export async function countStaleFeatures(
  store: Store,
  project: StoredProject,
  inspect: InspectProject
): Promise<StaleCounts | undefined> {
  if (!project.settings.staleness.enabled) return undefined
  const inspector = await inspect(store, project)
  const configurations = await configurationsByFeature(store, inspector.productionEnvironments)
  const { items } = await store.collection('features').list({ where: { _project: project._id, status: 'active' } })
  const counts = { released: 0, unused: 0, unmodifiedShort: 0, unmodifiedLong: 0 }
  for (const feature of items) {
    const finding = inspector.find({ feature, configurations: configurations.get(feature._id) ?? [] })
    if (finding && !isSilenced(feature, inspector.at)) counts[finding.reason]++
  }
  return counts
}

/** How many there are for all reasons together. */
export function totalStaleCount(census: StaleCounts): number {
  return StalenessReason.options.reduce((total, reason) => total + census[reason], 0)
}
