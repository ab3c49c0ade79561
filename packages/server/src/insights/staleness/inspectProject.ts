import type { EventStore } from '../../storage/events/eventStore.ts'
import type { StoredProject } from '../../storage/resources.ts'
import type { Store } from '../../storage/store.ts'
import { findStaleness, type StalenessCandidate, type StalenessFinding } from './findStaleness.ts'
import { createUsageCache } from './usageCache.ts'

/** Finds out which features of one project are stale, as of one moment. */
export interface StalenessInspector {
  /** In epoch milliseconds. */
  readonly at: number
  readonly find: (subject: StalenessCandidate) => StalenessFinding | undefined
  /** Ids of the environments whose configurations matter. */
  readonly productionEnvironments: ReadonlySet<string>
}

/** Begins to look at the features of a project. What was evaluated is asked for once, however many of them there are. */
export type InspectProject = (store: Store, project: StoredProject) => Promise<StalenessInspector>

interface Dependencies {
  readonly eventStore: Pick<EventStore, 'since' | 'lastEvaluated' | 'revision'>
  readonly now: () => number
  /** Is told why it is not known what was evaluated. It must not throw. */
  readonly onError: (error: unknown) => void
}

/** What looks at features by the server's clock and counts. */
export function createInspectProject({ eventStore, now, onError }: Dependencies): InspectProject {
  const usageOf = createUsageCache(eventStore, onError)
  return async (store, project) => {
    const at = now()
    const { staleness: settings, disablePassthroughRollouts } = project.settings
    if (!settings.enabled) return { at, find: () => undefined, productionEnvironments: new Set() }
    const { items } = await store.collection('environments').list({ where: { _project: project._id } })
    const environments = items.map(({ _id }) => _id)
    const usage = await usageOf(project, environments, at)
    const productionEnvironments = new Set(items.filter(({ type }) => type === 'production').map(({ _id }) => _id))
    const rules = { settings, allowsPassthrough: !disablePassthroughRollouts, productionEnvironments }
    return { at, productionEnvironments, find: (subject) => findStaleness(subject, usage, rules, at) }
  }
}
