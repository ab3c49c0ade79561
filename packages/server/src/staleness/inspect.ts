import type { EventStore } from '../eventStore/eventStore.ts'
import type { StoredProject } from '../store/resources.ts'
import type { Store } from '../store/store.ts'
import { type Finding, type Subject, stalenessOf } from './stalenessOf.ts'
import { createUsage } from './usage.ts'

/** Finds out which features of one project are stale, as of one moment. */
export interface Inspector {
  /** In epoch milliseconds. */
  readonly at: number
  readonly find: (subject: Subject) => Finding | undefined
  /** Ids of the environments whose configurations matter. */
  readonly production: ReadonlySet<string>
}

/** Begins to look at the features of a project. What was evaluated is asked for once, however many of them there are. */
export type Inspect = (store: Store, project: StoredProject) => Promise<Inspector>

interface Dependencies {
  readonly eventStore: Pick<EventStore, 'since' | 'lastEvaluated' | 'revision'>
  readonly now: () => number
  /** Is told why it is not known what was evaluated. It must not throw. */
  readonly onTrouble: (error: unknown) => void
}

/** What looks at features by the server's clock and counts. */
export function createInspect({ eventStore, now, onTrouble }: Dependencies): Inspect {
  const usageOf = createUsage(eventStore, onTrouble)
  return async (store, project) => {
    const at = now()
    const { staleness: settings, disablePassthroughRollouts } = project.settings
    if (!settings.enabled) return { at, find: () => undefined, production: new Set() }
    const { items } = await store.collection('environments').list({ where: { _project: project._id } })
    const environments = items.map(({ _id }) => _id)
    const usage = await usageOf(project, environments, at)
    const production = new Set(items.filter(({ type }) => type === 'production').map(({ _id }) => _id))
    const rules = { settings, isPassing: !disablePassthroughRollouts, production }
    return { at, production, find: (subject) => stalenessOf(subject, usage, rules, at) }
  }
}
