import type { User } from '../types/user.ts'
import type { Matcher, MatchResult } from './matcher.ts'

/** A user whose properties may have any type. Those of a wrong type read as absent. */
export type UnvalidatedUser = Readonly<Partial<Record<keyof User, unknown>>>

/** Returns a value as a user; a value that is not an object becomes a user without properties. */
export function toUnvalidated(user: unknown): UnvalidatedUser {
  // Equivalent to `isRecord`, which takes 14 instructions more.
  return typeof user === 'object' && user !== null ? user : {}
}

/** A test that depends on the user only. */
export interface Condition {
  /** The definition of the filter as JSON. */
  readonly name: string
  readonly test: (user: UnvalidatedUser) => boolean
  /** The evaluation that `passed` was computed in; see `EvaluationState.memoizeConditions`. */
  memoId: number
  passed: boolean
}

/** The parts of a config that filters and targets read during an evaluation. */
export interface EvaluationConfig {
  /** By id. */
  readonly audiences: ReadonlyMap<unknown, Matcher<EvaluationState, UnvalidatedUser>>
  /** Whether `optIn` filters can match. */
  readonly isOptInEnabled: boolean
  /** Whether a user who is excluded by a rollout continues with the next target. */
  readonly isPassthrough: boolean
}

/** The part of a feature that its filters read. */
interface FeatureScope {
  /** The feature's id, if it allows opt-ins. */
  readonly optInId: string | undefined
}

/** The last `memoId` in use. Shared by all configs, because configs can share conditions. */
let lastMemoId = 0

/**
 * The state of the evaluation of one user: the time and memoized results. The user is passed as an argument instead,
 * because a stored one would have to be removed afterwards, and a store costs as much as reading three properties.
 */
export class EvaluationState {
  readonly config: EvaluationConfig
  /** Whether an evaluation is using this state. */
  isBusy = false
  /** The number of nested operators that are being matched; `limitDepth` in `operator.ts` maintains it. */
  depth = 0
  /** Results of nested audiences for the current feature. */
  readonly audienceMemo = new Map<unknown, MatchResult>()
  /** 0 while conditions are not memoized. */
  #memoId = 0
  #now: number | undefined
  #feature: FeatureScope | undefined

  constructor(config: EvaluationConfig) {
    this.config = config
  }

  /** Prepares the state for a new evaluation. If `now` is omitted, the clock is read when a rollout needs it. */
  reset(now: number | undefined): this {
    this.isBusy = true
    this.#now = now
    this.#memoId = 0
    this.#feature = undefined
    return this
  }

  /** Sets the feature whose filters are matched next, and discards the audience results of the feature before it. */
  enterFeature(feature: FeatureScope): void {
    if (feature === this.#feature) return
    this.#feature = feature
    // Clearing a map, even an empty one, costs as much as two hashes.
    if (this.audienceMemo.size) this.audienceMemo.clear()
  }

  /** Evaluates each condition at most once from here on. Pays off when many features are evaluated. */
  memoizeConditions(): this {
    this.#memoId = ++lastMemoId
    return this
  }

  /** Returns whether the user passes a condition. */
  passes(condition: Condition, user: UnvalidatedUser): boolean {
    const memoId = this.#memoId
    if (memoId === 0) return condition.test(user)
    if (condition.memoId !== memoId) {
      condition.passed = condition.test(user)
      condition.memoId = memoId
    }
    return condition.passed
  }

  /**
   * Returns whether the user passes all conditions. One that fails is moved to the front: it is likely to fail for the
   * next user too, which then saves the others. Their order has no influence on results.
   */
  passesAll(conditions: Condition[], user: UnvalidatedUser): boolean {
    for (let index = 0; index < conditions.length; index++) {
      if (!this.passes(conditions[index] as Condition, user)) {
        if (index > 0) conditions.unshift(...conditions.splice(index, 1))
        return false
      }
    }
    return true
  }

  /** The time of the evaluation. Reads the clock at most once and on demand: a read costs as much as a hash. */
  get now(): number {
    this.#now ??= Date.now()
    return this.#now
  }

  hasOptedIn({ optIns }: UnvalidatedUser): boolean {
    const id = this.#feature?.optInId
    return id !== undefined && this.config.isOptInEnabled && Boolean(readOwn(optIns, id))
  }
}

/** Returns a custom attribute as hashing reads it: the public value takes precedence unless it is falsy. */
export function bucketingAttribute({ customData, privateCustomData }: UnvalidatedUser, key: string): string {
  const value = readOwn(customData, key) || readOwn(privateCustomData, key)
  return value && typeof value !== 'object' ? String(value) : 'null'
}

/** Returns a custom attribute as filters read it: the private value takes precedence, even if it is `null`. */
export function customValue({ customData, privateCustomData }: UnvalidatedUser, key: string): unknown {
  const value = privateCustomData ? readOwn(privateCustomData, key) : undefined
  return value === undefined ? readOwn(customData, key) : value
}

/** Returns the value if it is a string. */
export function asString(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined
}

/** Reads an own property. `hasOwn` is called for functions and objects only, since no other values are inherited. */
function readOwn(data: unknown, key: string): unknown {
  // Equivalent to `isRecord`, which takes 14 instructions more.
  if (typeof data !== 'object' || data === null) return undefined
  const value = (data as Record<string, unknown>)[key]
  if (typeof value === 'string') return value
  return (typeof value !== 'object' && typeof value !== 'function') || Object.hasOwn(data, key) ? value : undefined
}
