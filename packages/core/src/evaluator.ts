import { type Decision, decide, type Failure } from './evaluate.ts'
import { explainFeature } from './explain.ts'
import type { PreparedFeature } from './feature.ts'
import { type Served, serve } from './served.ts'
import { NOBODY, Subject } from './subject.ts'
import type { BucketedConfig, Environment, Project } from './types/config.ts'
import type { Explanation, FeatureExplanation } from './types/explanation.ts'
import type { BucketedFeature } from './types/feature.ts'
import type { Problem } from './types/problem.ts'
import type { Resolution } from './types/resolution.ts'
import type { User } from './types/user.ts'
import type { BucketedVariable } from './types/variable.ts'
import type { PreparedVariation } from './variation.ts'

/** What an evaluation may be told besides the user. */
export interface EvaluateOptions {
  /** The moment of the evaluation, epoch milliseconds; the clock's when it is left out. Rollouts depend on it. */
  readonly now?: number
  /** Feature id → variation id: what this user gets whatever the rules say. */
  readonly overrides?: Readonly<Record<string, string>>
}

/** A variable with everything that does not depend on the user worked out. */
export interface PreparedVariable {
  /** The feature that takes precedence among those with a variation that gives it a value; each names the next one. */
  readonly first: Carrier | undefined
  /** The answer for a user whom none of them serves it. */
  readonly otherwise: Resolution
}

/** A feature that carries a variable, the variable's slot in it, and the feature to ask after it. */
export interface Carrier {
  readonly next: Carrier | undefined
  readonly feature: PreparedFeature
  readonly slot: number
}

/** What `compile` works out of a config. */
export interface Prepared {
  readonly project: Project
  readonly environment: Environment
  readonly features: readonly PreparedFeature[]
  /** By key, in order. */
  readonly variables: ReadonlyMap<string, PreparedVariable>
  readonly onProblem: ((problem: Problem) => void) | undefined
}

/**
 * A compiled config: decides what each user gets. It throws on no data, waits for nothing, and answers the same to the
 * same question; results are frozen and shared. Made by `compile`. An error that `onProblem` throws reaches whoever
 * evaluates.
 */
export class Evaluator {
  /** The keys of all variables that are known here, whether or not a feature carries them, in order. */
  readonly keys: readonly string[]
  readonly #prepared: Prepared
  readonly #byId: ReadonlyMap<string, PreparedFeature>
  /** Results of overriding with a variation, handed out before. */
  readonly #overrides = new Map<PreparedVariation, Served>()
  #resting: Subject | undefined
  /** In the order of `keys`: the answers for a user who is served nothing. */
  readonly #otherwise: readonly Resolution[]

  constructor(prepared: Prepared) {
    this.#prepared = prepared
    this.keys = Object.freeze([...prepared.variables.keys()])
    this.#otherwise = [...prepared.variables.values()].map(({ otherwise }) => otherwise)
    this.#byId = new Map(prepared.features.map((feature) => [feature.source._id, feature]))
  }

  /** Whether the feature with this id is live here. */
  serves(featureId: string): boolean {
    return this.#byId.has(featureId)
  }

  /** The variable as this user gets it, or undefined when it is unknown or not served to them. */
  variable(user: User, key: string, options?: EvaluateOptions): BucketedVariable | undefined {
    const resolution = this.resolve(user, key, options)
    return resolution.status === 'served' ? resolution.variable : undefined
  }

  /** Every variable this user gets, by key. */
  variables(user: User, options?: EvaluateOptions): Record<string, BucketedVariable> {
    return byKey(this.#served(user, options).flatMap(({ variables }) => variables))
  }

  /** Every feature this user is served, by key. */
  features(user: User, options?: EvaluateOptions): Record<string, BucketedFeature> {
    return byKey(this.#served(user, options).map(({ feature }) => feature))
  }

  /** Everything this user gets: the bucketed config of `evaluation.md` §6.1. */
  bucket(user: User, options?: EvaluateOptions): BucketedConfig {
    const { project, environment } = this.#prepared
    const served = this.#served(user, options)
    const featureVariationMap = emptyRecord<string>()
    for (const { feature } of served) featureVariationMap[feature._id] = feature._variation
    return {
      project,
      environment,
      features: byKey(served.map(({ feature }) => feature)),
      featureVariationMap,
      variableVariationMap: emptyRecord<never>(),
      variables: byKey(served.flatMap(({ variables }) => variables))
    }
  }

  /** Like `variable`, and says why when there is no value. */
  resolve(user: User, key: string, options?: EvaluateOptions): Resolution {
    const variable = this.#prepared.variables.get(key)
    if (!variable) return UNKNOWN
    const subject = this.#begin(user, options)
    const overriding = options?.overrides ? this.#overriding(options.overrides, key, subject) : undefined
    const resolution = overriding ?? this.#resolve(variable, subject)
    this.#end(subject)
    return resolution
  }

  /** What `resolve` answers for each of `keys`, in their order. Faster than a record of variables where there are many. */
  resolveAll(user: User, options?: EvaluateOptions): Resolution[] {
    const resolutions = this.#otherwise.slice()
    const served = this.#served(user, options, ({ positions }, failure) => {
      // What another feature serves comes later, and takes its place.
      for (const position of positions) resolutions[position] = failure
    })
    for (const { slots, positions } of served) {
      for (let slot = 0; slot < positions.length; slot++) {
        const variable = slots[slot]
        // Within bounds by the loop's condition.
        if (variable) resolutions[positions[slot] as number] = variable
      }
    }
    return resolutions
  }

  /** The decision about a variable with its path: each target, its filters, its rollout and its ranges. For people, not for speed. */
  explain(user: User, key: string, options?: EvaluateOptions): Explanation {
    // One moment for the outcome and for the path that led to it.
    const at = { ...options, now: options?.now ?? Date.now() }
    const subject = this.#begin(user, at)
    const overridden = at.overrides ? this.#overridden(at.overrides, subject) : []
    const features: FeatureExplanation[] = []
    for (let carrier = this.#prepared.variables.get(key)?.first; carrier; carrier = carrier.next) {
      const { feature } = carrier
      const override = overridden.find((served) => served.feature._id === feature.source._id)
      features.push(explainFeature(feature, subject, override))
    }
    return { key, resolution: this.resolve(user, key, at), features }
  }

  #resolve({ first, otherwise }: PreparedVariable, subject: Subject): Resolution {
    let failure: Failure | undefined
    for (let carrier = first; carrier; carrier = carrier.next) {
      const decision = this.#decide(carrier.feature, subject)
      if (decision.status === 'served') {
        const variable = decision.slots[carrier.slot]
        if (variable) return variable
      } else if (decision.status === 'failed') failure ??= decision
    }
    return failure ?? otherwise
  }

  /** The variable as the overrides give it, if they do; the last of them wins. */
  #overriding(overrides: Readonly<Record<string, string>>, key: string, subject: Subject): Resolution | undefined {
    const slots = this.#overridden(overrides, subject).flatMap((served) => served.slots)
    return slots.findLast((slot) => slot?.variable.key === key)
  }

  /** What this user is served, in the order in which later results replace earlier ones. */
  #served(
    user: User,
    options: EvaluateOptions | undefined,
    onFailure?: (feature: PreparedFeature, failure: Failure) => void
  ): Served[] {
    const subject = this.#begin(user, options).remember()
    const served: Served[] = []
    for (const feature of this.#prepared.features) {
      const decision = this.#decide(feature, subject)
      if (decision.status === 'served') served.push(decision)
      else if (decision.status === 'failed') onFailure?.(feature, decision)
    }
    if (options?.overrides) served.push(...this.#overridden(options.overrides, subject))
    this.#end(subject)
    return served
  }

  /** The overrides that hold, in their own order. One does not save a feature that cannot be decided (`evaluation.md` §5.4). */
  #overridden(overrides: Readonly<Record<string, string>>, subject: Subject): Served[] {
    return Object.entries(overrides).flatMap(([featureId, variationId]) => {
      const feature = this.#byId.get(featureId)
      const variation = feature?.variations.get(variationId)
      if (!feature || !variation || variation.unknownVariable !== undefined) return []
      if (decide(feature, subject).status === 'failed') return []
      const known = this.#overrides.get(variation)
      const served = known ?? serve(feature, variation, { reason: 'OVERRIDE', details: 'Override' })
      if (!known) this.#overrides.set(variation, served)
      return served
    })
  }

  /** A subject for an evaluation. Most of what evaluations would leave to the garbage collector are subjects, so one is used again. */
  #begin(user: unknown, options: EvaluateOptions | undefined): Subject {
    const subject = this.#resting ?? new Subject()
    // An evaluation that `onProblem` begins inside of this one makes a subject of its own.
    this.#resting = undefined
    return subject.become(user, options?.now)
  }

  #end(subject: Subject): void {
    // The user's object is let go; what was made of it is set anew at the next beginning.
    subject.user = NOBODY
    this.#resting = subject
  }

  #decide(feature: PreparedFeature, subject: Subject): Decision {
    const decision = decide(feature, subject)
    if (decision.status === 'failed') this.#prepared.onProblem?.(decision.problem)
    return decision
  }
}

const UNKNOWN: Resolution = Object.freeze({ status: 'unknown' })

function byKey<T extends { readonly key: string }>(items: readonly T[]): Record<string, T> {
  const record = emptyRecord<T>()
  for (const item of items) record[item.key] = item
  return record
}

/** A record whose keys can be any text, `__proto__` included. */
function emptyRecord<T>(): Record<string, T> {
  return Object.create(null)
}
