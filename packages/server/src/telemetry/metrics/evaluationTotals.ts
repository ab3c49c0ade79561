import type { EvaluationCount, EventEntry } from '../../storage/events/eventEntry.ts'
import type { LiveEnvironment } from './listLiveEnvironments.ts'

/** The labels of a total. */
export interface EvaluationLabels {
  readonly project: string
  readonly environment: string
  /** Whether a variation was served, the default of the application was used, or the variable does not exist. */
  readonly outcome: 'served' | 'default' | 'unknown'
  readonly sdk_type: EvaluationCount['sdkType']
}

/** The number of evaluations since the start, by environment. The results operations report counts by variable. */
export class EvaluationTotals {
  /** By environment id, because keys can change. */
  readonly #byEnvironment = new Map<string, Map<string, Total>>()

  /** Adds evaluations that are stored durably. */
  add({ environment, counts }: Pick<EventEntry, 'environment' | 'counts'>): void {
    const totals = this.#byEnvironment.get(environment) ?? new Map<string, Total>()
    this.#byEnvironment.set(environment, totals)
    for (const evaluations of counts) {
      const [outcome, sdk_type] = [outcomeOf(evaluations), evaluations.sdkType]
      const name = `${outcome} ${sdk_type}`
      const { count } = totals.get(name) ?? { count: 0 }
      totals.set(name, { outcome, sdk_type, count: count + evaluations.count })
    }
  }

  /** Forgets all evaluations so far. */
  clear(): void {
    this.#byEnvironment.clear()
  }

  /** Returns the totals of these environments and drops all others. */
  of(environments: readonly LiveEnvironment[]): readonly (readonly [EvaluationLabels, number])[] {
    const live = new Set(environments.map(({ id }) => id))
    for (const id of this.#byEnvironment.keys()) if (!live.has(id)) this.#byEnvironment.delete(id)
    return environments.flatMap(({ id, project, environment }) => {
      const totals = [...(this.#byEnvironment.get(id)?.values() ?? [])]
      return totals.map(({ count, ...labels }) => [{ project, environment, ...labels }, count] as const)
    })
  }
}

interface Total extends Pick<EvaluationLabels, 'outcome' | 'sdk_type'> {
  readonly count: number
}

function outcomeOf({ variable, variation }: EvaluationCount): EvaluationLabels['outcome'] {
  if (variable === undefined) return 'unknown'
  return variation === undefined ? 'default' : 'served'
}
