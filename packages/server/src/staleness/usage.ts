import { HOUR } from '../duration.ts'
import type { EventStore } from '../eventStore/eventStore.ts'
import type { StoredProject } from '../store/resources.ts'
import type { Usage } from './stalenessOf.ts'
import { longestThreshold } from './threshold.ts'

type UsageOf = (project: StoredProject, environments: readonly string[], now: number) => Promise<Usage>

/**
 * What knows as much about the evaluations of a project as its rules ask for. An answer is used again within the hour, until more
 * happened. Where the event store cannot be read, nothing is known, and so nothing is called unused.
 */
export function createUsage(
  eventStore: Pick<EventStore, 'since' | 'lastEvaluated' | 'revision'>,
  onTrouble: (error: unknown) => void
): UsageOf {
  const answers = new WeakMap<StoredProject, { readonly name: string; readonly usage: Usage }>()
  return async (project, environments, now) => {
    const { since } = eventStore
    const threshold = longestThreshold('unused', project.settings.staleness)
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
      onTrouble(error)
      return { since: Number.POSITIVE_INFINITY, lastEvaluated: new Map() }
    }
  }
}
