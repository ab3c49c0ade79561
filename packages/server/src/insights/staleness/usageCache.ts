import { HOUR } from '../../lib/time.ts'
import type { EventStore } from '../../storage/events/eventStore.ts'
import type { StoredProject } from '../../storage/resources.ts'
import type { EvaluationUsage } from './findStaleness.ts'
import { maxThreshold } from './thresholds.ts'

type ReadUsage = (project: StoredProject, environments: readonly string[], now: number) => Promise<EvaluationUsage>

/**
 * What knows as much about the evaluations of a project as its rules ask for. An answer is used again within the hour, until more
 * happened. Where the event store cannot be read, nothing is known, and so nothing is called unused.
 */
export function createUsageCache(
  eventStore: Pick<EventStore, 'since' | 'lastEvaluated' | 'revision'>,
  onError: (error: unknown) => void
): ReadUsage {
  const answers = new WeakMap<StoredProject, { readonly name: string; readonly usage: EvaluationUsage }>()
  return async (project, environments, now) => {
    const { since } = eventStore
    const threshold = maxThreshold('unused', project.settings.staleness)
    // The evaluations of an hour count to its end.
    const from = now - threshold - HOUR
    const name = [Math.floor(now / HOUR), eventStore.revision(environments), ...environments].join(' ')
    const known = answers.get(project)
    if (known?.name === name) return known.usage
    try {
      const lastEvaluated =
        threshold > 0 ? await eventStore.lastEvaluated({ environments, from }) : new Map<string, number>()
      const usage = { since, lastEvaluated }
      answers.set(project, { name, usage })
      return usage
    } catch (error) {
      onError(error)
      return { since: Number.POSITIVE_INFINITY, lastEvaluated: new Map() }
    }
  }
}
