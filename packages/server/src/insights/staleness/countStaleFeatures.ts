import { StalenessReason } from '@burgee/contract/schemas'
import type { StoredProject } from '../../storage/resources/project.ts'
import type { Store } from '../../storage/store.ts'
import { isSilenced } from './findStaleness.ts'
import type { InspectProject } from './inspectProject.ts'
import { configurationsByFeature } from './listByStaleness.ts'

/** The number of stale features of a project by reason, without silenced ones. */
export type StaleCounts = Readonly<Record<StalenessReason, number>>

/** The counts of one project. */
export interface ProjectStaleCounts {
  /** The key of the project. */
  readonly project: string
  readonly counts: StaleCounts
}

/** Counts the stale features of a project. Returns `undefined` if the project has not enabled detection. */
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

/** Returns the total number of stale features. */
export function totalStaleCount(counts: StaleCounts): number {
  return StalenessReason.options.reduce((total, reason) => total + counts[reason], 0)
}
