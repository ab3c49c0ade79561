import { StalenessReason } from '@burgee/contract'
import type { StoredProject } from '../store/resources.ts'
import type { Store } from '../store/store.ts'
import { configurationsIn } from './findByStaleness.ts'
import type { Inspect } from './inspect.ts'
import { isSilenced } from './silenced.ts'

/** How many features of a project are stale and not silenced, by reason. */
export type Census = Readonly<Record<StalenessReason, number>>

/** What was counted in one project. */
export interface ProjectCensus {
  /** The key of the project. */
  readonly project: string
  readonly census: Census
}

/** Counts the stale features of a project; nothing where it does not ask for them. */
export async function censusOf(store: Store, project: StoredProject, inspect: Inspect): Promise<Census | undefined> {
  if (!project.settings.staleness.enabled) return undefined
  const inspector = await inspect(store, project)
  const configurations = await configurationsIn(store, inspector.production)
  const { items } = await store.collection('features').list({ where: { _project: project._id, status: 'active' } })
  const counts = { released: 0, unused: 0, unmodifiedShort: 0, unmodifiedLong: 0 }
  for (const feature of items) {
    const finding = inspector.find({ feature, configurations: configurations.get(feature._id) ?? [] })
    if (finding && !isSilenced(feature, inspector.at)) counts[finding.reason]++
  }
  return counts
}

/** How many there are for all reasons together. */
export function totalOf(census: Census): number {
  return StalenessReason.options.reduce((total, reason) => total + census[reason], 0)
}
