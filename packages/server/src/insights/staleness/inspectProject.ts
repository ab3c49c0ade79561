import { HOUR } from '../../lib/time.ts'
import type { EventStore } from '../../storage/events/eventStore.ts'
import type { StoredProject } from '../../storage/resources/project.ts'
import type { Store } from '../../storage/store.ts'
import { type EvaluationUsage, findStaleness, type StalenessCandidate, type StalenessFinding } from './findStaleness.ts'
import { maxThreshold } from './thresholds.ts'

/** Determines the staleness of the features of one project at one moment. */
export interface StalenessInspector {
  /** In epoch milliseconds. */
  readonly at: number
  readonly find: (candidate: StalenessCandidate) => StalenessFinding | undefined
  /** Ids of the environments whose configurations candidates must have. */
  readonly productionEnvironments: ReadonlySet<string>
}

/** Creates the inspector of a project. Reads evaluation counts once, however many features are inspected. */
export type InspectProject = (store: Store, project: StoredProject) => Promise<StalenessInspector>

interface Dependencies {
  readonly eventStore: Pick<EventStore, 'since' | 'lastEvaluated' | 'revision'>
  readonly now: () => number
  /** Called when the event store cannot be read. Must not throw. */
  readonly onError: (error: unknown) => void
}

/** Creates `InspectProject` for an event store. */
export function createInspectProject({ eventStore, now, onError }: Dependencies): InspectProject {
  const readUsage = createUsageCache(eventStore, onError)
  return async (store, project) => {
    const at = now()
    const { staleness: settings, disablePassthroughRollouts } = project.settings
    if (!settings.enabled) return { at, find: () => undefined, productionEnvironments: new Set() }
    const { items } = await store.collection('environments').list({ where: { _project: project._id } })
    const environments = items.map(({ _id }) => _id)
    const usage = await readUsage(project, environments, at)
    const productionEnvironments = new Set(items.filter(({ type }) => type === 'production').map(({ _id }) => _id))
    const rules = { settings, allowsPassthrough: !disablePassthroughRollouts, productionEnvironments }
    return { at, productionEnvironments, find: (candidate) => findStaleness(candidate, usage, rules, at) }
  }
}

type ReadUsage = (project: StoredProject, environments: readonly string[], now: number) => Promise<EvaluationUsage>

/**
 * Creates a reader of evaluation counts. A project's counts are cached for the hour while no event is added. If the
 * event store cannot be read, usage is unknown, and no feature counts as unused.
 */
export function createUsageCache(
  eventStore: Pick<EventStore, 'since' | 'lastEvaluated' | 'revision'>,
  onError: (error: unknown) => void
): ReadUsage {
  const cache = new WeakMap<StoredProject, { readonly key: string; readonly usage: EvaluationUsage }>()
  return async (project, environments, now) => {
    const { since } = eventStore
    const threshold = maxThreshold('unused', project.settings.staleness)
    // Counts are by the hour, and an evaluation may have happened at the end of its hour.
    const from = now - threshold - HOUR
    const key = [Math.floor(now / HOUR), eventStore.revision(environments), ...environments].join(' ')
    const cached = cache.get(project)
    if (cached?.key === key) return cached.usage
    try {
      const lastEvaluated =
        threshold > 0 ? await eventStore.lastEvaluated({ environments, from }) : new Map<string, number>()
      const usage = { since, lastEvaluated }
      cache.set(project, { key, usage })
      return usage
    } catch (error) {
      onError(error)
      return { since: Number.POSITIVE_INFINITY, lastEvaluated: new Map() }
    }
  }
}
