import type { EvaluationEventType, TrackedEvent } from '../../storage/events/eventEntry.ts'
import { type EvaluationOutcome, findServedVariation, type IndexedVariable } from '../evaluations/evaluationOf.ts'

/**
 * The evaluation events of one report, counted by outcome. Outcomes are found by the identity of their variable:
 * creating a string key for each event would take longer than counting it.
 */
export class OutcomeCounts {
  readonly #byVariable = new Map<IndexedVariable | undefined, Map<string | undefined, OutcomeCount>>()
  /** In the order of their first events. */
  readonly #all: OutcomeCount[] = []
  #eventsOfUser = 0

  /** Counts an event about a variable; `undefined` if no variable has the key in the event. */
  add(event: TrackedEvent, { isServed, isOfUser }: EvaluationEventType, variable: IndexedVariable | undefined): void {
    const { value = 1 } = event
    const variation =
      isServed && variable ? findServedVariation(variable, reportedVariation(event, variable)) : undefined
    const found = this.#find(variable, variation)
    found.count += value
    if (!isOfUser) return
    found.countOfUser += value
    found.lastOfUser = ++this.#eventsOfUser
  }

  /** Returns the outcomes in the order of their first events. */
  list(): readonly OutcomeCount[] {
    return this.#all
  }

  /** Returns the outcomes of events about one user, in the order of their last events. */
  listOfUser(): readonly OutcomeCount[] {
    return this.#all.filter(({ lastOfUser }) => lastOfUser > 0).sort((a, b) => a.lastOfUser - b.lastOfUser)
  }

  #find(variable: IndexedVariable | undefined, variation: string | undefined): OutcomeCount {
    let byVariation = this.#byVariable.get(variable)
    if (!byVariation) {
      byVariation = new Map()
      this.#byVariable.set(variable, byVariation)
    }
    const known = byVariation.get(variation)
    if (known) return known
    const outcome = variable ? { variable: variable.key, feature: variable.feature, variation } : {}
    const created = { outcome, count: 0, countOfUser: 0, lastOfUser: 0 }
    byVariation.set(variation, created)
    this.#all.push(created)
    return created
  }
}

/** How often evaluations had an outcome. */
interface OutcomeCount {
  readonly outcome: EvaluationOutcome
  count: number
  /** The part of the count that is of events about one user. */
  countOfUser: number
  /** The position of the last event about one user; 0 if there is none. */
  lastOfUser: number
}

/** Server SDKs name the variation in `metaData`; SDKs of browsers and apps list the variations of their user. */
function reportedVariation({ metaData, featureVars }: TrackedEvent, { feature }: IndexedVariable): unknown {
  return metaData?._variation ?? (feature === undefined ? undefined : featureVars?.[feature])
}
