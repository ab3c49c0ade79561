import { decide } from './evaluate.ts'
import { explainFeature } from './explain.ts'
import type { PreparedFeature } from './feature.ts'
import type { PreparedOperator } from './operator.ts'
import { type Decision, type Failure, type Served, serve } from './served.ts'
import { RESTING, Subject, type Surroundings } from './subject.ts'
import type { BucketedConfig, Environment, Project } from './types/config.ts'
import type { Explanation, FeatureExplanation } from './types/explanation.ts'
import type { BucketedFeature } from './types/feature.ts'
import type { Problem } from './types/problem.ts'
import type { Resolution } from './types/resolution.ts'
import type { User } from './types/user.ts'
import type { AnyFlags, BucketedVariable, Variable } from './types/variable.ts'
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
  readonly variable: Variable
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

/** A feature that is live in a config. */
export interface LiveFeature {
  readonly feature: PreparedFeature
  /** By slot: where the variable stands among all, in the order of their keys. */
  readonly positions: readonly number[]
}

/** What serving a variation as an override comes to. */
type Override = Served & Pick<LiveFeature, 'positions'>

/** Takes what a feature comes to, and by slot, where its variables stand among all. */
type Visitor = (decision: Decision, positions: readonly number[]) => void

/** Takes the problems that evaluations meet. */
type Reporter = ((problem: Problem) => void) | undefined

/** What `compile` works out of a config. */
export interface Prepared extends Surroundings {
  readonly audiences: ReadonlyMap<string, PreparedOperator>
  readonly project: Project
  readonly environment: Environment
  readonly features: readonly LiveFeature[]
  /** By key, in order. */
  readonly variables: ReadonlyMap<string, PreparedVariable>
}

/**
 * A compiled config: decides what each user gets. It throws on no data, waits for nothing, and answers the same to the
 * same question; results are frozen and shared. Made by `compile`. An error that `onProblem` throws reaches whoever
 * evaluates.
 */
export class Evaluator<Flags extends object = AnyFlags> {
  /** The keys of all variables that are known here, whether or not a feature carries them, in order. */
  readonly keys: readonly string[]
  /** What it was made from, for what else can be said of it. @internal */
  readonly prepared: Prepared
  readonly #onProblem: Reporter
  readonly #byId: ReadonlyMap<string, LiveFeature>
  /** Results of overriding with a variation, handed out before. */
  readonly #overrides = new Map<PreparedVariation, Override>()
  #subject: Subject
  readonly #variables: ReadonlyMap<string, PreparedVariable>
  /** In the order of `keys`: the answers for a user who is served nothing. */
  readonly #otherwise: readonly Resolution[]

  constructor(prepared: Prepared, onProblem: Reporter) {
    this.#onProblem = onProblem
    this.prepared = prepared
    this.#subject = new Subject(prepared)
    this.#variables = prepared.variables
    this.keys = Object.freeze([...prepared.variables.keys()])
    this.#otherwise = [...prepared.variables.values()].map(({ otherwise }) => otherwise)
    this.#byId = new Map(prepared.features.map((live) => [live.feature.source._id, live]))
  }

  /** Whether the feature with this id is live here. */
  serves(featureId: string): boolean {
    return this.#byId.has(featureId)
  }

  /** The variable as this user gets it, or undefined when it is unknown or not served to them. */
  variable<Key extends keyof Flags & string>(
    user: User,
    key: Key,
    options?: EvaluateOptions
  ): BucketedVariable<Flags[Key]> | undefined {
    const resolution = this.resolve(user, key, options)
    // What the values of this key are is what whoever compiled the config says.
    return resolution.status === 'served' ? (resolution.variable as BucketedVariable<Flags[Key]>) : undefined
  }

  /** Every variable this user gets, by key. */
  variables(user: User, options?: EvaluateOptions): Record<string, BucketedVariable> {
    return byKey(this.#served(user, options).flatMap(variablesOf))
  }

  /** Every feature this user is served, by key. */
  features(user: User, options?: EvaluateOptions): Record<string, BucketedFeature> {
    return this.bucket(user, options).features
  }

  /** Everything this user gets: the bucketed config of `evaluation.md` §6.1. */
  bucket(user: User, options?: EvaluateOptions): BucketedConfig {
    const { project, environment } = this.prepared
    const served = this.#served(user, options)
    const featureVariationMap = emptyRecord<string>()
    for (const { feature } of served) featureVariationMap[feature._id] = feature._variation
    return {
      project,
      environment,
      features: byKey(served.map(({ feature }) => feature)),
      featureVariationMap,
      variableVariationMap: emptyRecord<never>(),
      variables: byKey(served.flatMap(variablesOf))
    }
  }

  /** Like `variable`, and says why when there is no value. */
  resolve(user: User, key: string, options?: EvaluateOptions): Resolution {
    const variable = this.#variables.get(key)
    if (variable === undefined) return UNKNOWN
    const subject = this.#begin(user, options)
    const overriding = options?.overrides && this.#overriding(options.overrides, key, subject)
    const resolution = overriding ?? decideVariable(variable, subject, this.#onProblem)
    subject.user = RESTING
    return resolution
  }

  /** What `resolve` answers for each of `keys`, in their order. Faster than a record of variables where there are many. */
  resolveAll(user: User, options?: EvaluateOptions): Resolution[] {
    const resolutions = this.#otherwise.slice()
    this.#each(user, options, (decision, positions) => {
      for (let slot = 0; slot < positions.length; slot++) {
        // Within bounds by the loop's condition.
        const position = positions[slot] as number
        if (decision.status === 'served') {
          const variable = decision.slots[slot]
          if (variable !== undefined) resolutions[position] = variable
        } else if (resolutions[position]?.status !== 'served') resolutions[position] = decision
      }
    })
    return resolutions
  }

  /** The decision about a variable with its path: each target, its filters, its rollout and its ranges. For people, not for speed. */
  explain(user: User, key: string, options?: EvaluateOptions): Explanation {
    // One moment for the outcome and for the path that led to it.
    const at = { ...options, now: options?.now ?? Date.now() }
    const subject = this.#begin(user, at)
    const overridden = this.#overridden(subject, at.overrides)
    const features: FeatureExplanation[] = []
    for (let carrier = this.#variables.get(key)?.first; carrier; carrier = carrier.next) {
      const { feature } = carrier
      const override = overridden.find((served) => served.feature._id === feature.source._id)
      features.push(explainFeature(feature, subject, override))
    }
    return { key, resolution: this.resolve(user, key, at), features }
  }

  /** The variable as the overrides give it, if they do; the last of them wins. */
  #overriding(overrides: Readonly<Record<string, string>>, key: string, subject: Subject): Resolution | undefined {
    const slots = this.#overridden(subject, overrides).flatMap((served) => served.slots)
    return slots.findLast((slot) => slot?.variable.key === key)
  }

  /** What this user is served, in the order in which later results replace earlier ones. */
  #served(user: User, options: EvaluateOptions | undefined): Served[] {
    const served: Served[] = []
    this.#each(user, options, (decision) => {
      if (decision.status === 'served') served.push(decision)
    })
    return served
  }

  /** Visits what each feature comes to for this user, the overrides last: what is served later replaces what was served before. */
  #each(user: User, options: EvaluateOptions | undefined, visit: Visitor): void {
    const subject = this.#begin(user, options).remember()
    for (const { feature, positions } of this.prepared.features) {
      const decision = decide(feature, subject)
      if (decision === undefined) continue
      if (decision.status === 'failed') this.#onProblem?.(decision.problem)
      visit(decision, positions)
    }
    for (const served of this.#overridden(subject, options?.overrides)) visit(served, served.positions)
    subject.user = RESTING
  }

  /** The overrides that hold, in their own order. One does not save a feature that cannot be decided (`evaluation.md` §5.4). */
  #overridden(subject: Subject, overrides: EvaluateOptions['overrides']): Override[] {
    return Object.entries(overrides ?? {}).flatMap(([featureId, variationId]) => {
      const { feature, positions = [] } = this.#byId.get(featureId) ?? {}
      const variation = feature?.variations.get(variationId)
      if (!feature || !variation || variation.unknownVariable !== undefined) return []
      if (decide(feature, subject)?.status === 'failed') return []
      const known = this.#overrides.get(variation)
      const served = known ?? { ...serve(feature, variation, { reason: 'OVERRIDE', details: 'Override' }), positions }
      this.#overrides.set(variation, served)
      return served
    })
  }

  /** A subject for an evaluation. Most of what evaluations would leave to the garbage collector are subjects, so one is used again. */
  #begin(user: unknown, options: EvaluateOptions | undefined): Subject {
    // An evaluation that goes on, and begins this one inside of `onProblem`, keeps its own.
    if (this.#subject.user !== RESTING) this.#subject = new Subject(this.prepared)
    return this.#subject.become(user, options?.now)
  }
}

/** What becomes of a variable for a user whom nothing overrides. */
function decideVariable({ first, otherwise }: PreparedVariable, subject: Subject, onProblem: Reporter): Resolution {
  let failure: Failure | undefined
  for (let carrier = first; carrier !== undefined; carrier = carrier.next) {
    const decision = decide(carrier.feature, subject)
    if (decision === undefined) continue
    if (decision.status === 'served') {
      const served = decision.slots[carrier.slot]
      if (served !== undefined) return served
    } else {
      onProblem?.(decision.problem)
      failure ??= decision
    }
  }
  return failure ?? otherwise
}

const UNKNOWN: Resolution = Object.freeze({ status: 'unknown' })

function variablesOf({ variables }: Served): readonly BucketedVariable[] {
  return variables
}

function byKey<T extends { readonly key: string }>(items: readonly T[]): Record<string, T> {
  const record = emptyRecord<T>()
  for (const item of items) record[item.key] = item
  return record
}

/** A record whose keys can be any text, `__proto__` included. */
function emptyRecord<T>(): Record<string, T> {
  return Object.create(null)
}
