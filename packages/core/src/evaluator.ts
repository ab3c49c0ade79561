import { EvaluationState, toUnvalidated, type UnvalidatedUser } from './conditions/evaluationState.ts'
import { decide } from './evaluate.ts'
import { explainPreparedFeature } from './explain.ts'
import type { FeatureEntry, PreparedConfig, PreparedVariable } from './prepare.ts'
import { variationOf } from './targeting/feature.ts'
import { type Decision, type Failure, type Served, serve } from './targeting/served.ts'
import type { PreparedVariation } from './targeting/variation.ts'
import type { BucketedConfig } from './types/config.ts'
import type { Explanation, FeatureExplanation } from './types/explanation.ts'
import type { BucketedFeature } from './types/feature.ts'
import type { Problem } from './types/problem.ts'
import type { Resolution } from './types/resolution.ts'
import type { User } from './types/user.ts'
import type { AnyFlags, BucketedVariable } from './types/variable.ts'

/** Options of an evaluation. */
export interface EvaluateOptions {
  /** The time of the evaluation in epoch milliseconds, which rollouts depend on. Default: the current time. */
  readonly now?: number
  /** Feature id → id of the variation that this user gets, regardless of targets. */
  readonly overrides?: Readonly<Record<string, string>>
}

/** The result of serving a variation as an override. */
type Override = Served & Pick<FeatureEntry, 'indexes'>

type DecisionVisitor = (decision: Decision, indexes: FeatureEntry['indexes']) => void

type ProblemListener = ((problem: Problem) => void) | undefined

/**
 * A compiled config, created by `compile` or `recompile`. Its methods are synchronous and throw for no user; only an
 * error thrown by `onProblem` propagates. Equal inputs give equal results. Results are frozen and shared.
 */
export class Evaluator<Flags extends object = AnyFlags> {
  /** The keys of all variables in the config, sorted, including variables of no feature. */
  readonly keys: readonly string[]
  /** @internal */
  readonly prepared: PreparedConfig
  readonly #onProblem: ProblemListener
  #byId: ReadonlyMap<string, FeatureEntry> | undefined
  /** Cached results of overrides. */
  readonly #overrides = new Map<PreparedVariation, Override>()
  #state: EvaluationState
  readonly #indexes: ReadonlyMap<string, number>
  /** By index. Built on first use. */
  #fallbacks: readonly Resolution[] | undefined

  /** @internal */
  constructor(prepared: PreparedConfig, onProblem: ProblemListener) {
    this.#onProblem = onProblem
    this.prepared = prepared
    this.#state = new EvaluationState(prepared)
    this.#indexes = prepared.table.indexes
    this.keys = prepared.table.keys
  }

  /** Returns whether the config contains the feature with this id. */
  hasFeature(featureId: string): boolean {
    return Boolean(this.#entry(featureId))
  }

  /** Returns a variable as this user gets it, or undefined if it does not exist or is not served to the user. */
  variable<Key extends keyof Flags & string>(
    user: User,
    key: Key,
    options?: EvaluateOptions
  ): BucketedVariable<Flags[Key]> | undefined {
    const resolution = this.resolve(user, key, options)
    // The caller of `compile` asserts that the values of the config have the types of `Flags`.
    return 'variable' in resolution ? (resolution.variable as BucketedVariable<Flags[Key]>) : undefined
  }

  /** Returns every variable that this user is served, by key. */
  variables(user: User, options?: EvaluateOptions): Record<string, BucketedVariable> {
    return byKey(this.served(user, options).flatMap(variablesOf))
  }

  /** Returns every feature that this user is served, by key. */
  features(user: User, options?: EvaluateOptions): Record<string, BucketedFeature> {
    return this.bucket(user, options).features
  }

  /** Returns everything that this user is served: the bucketed config that client SDKs read. */
  bucket(user: User, options?: EvaluateOptions): BucketedConfig {
    const { project, environment } = this.prepared
    const served = this.served(user, options)
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

  /** Returns the result for a variable: like `variable`, with the reason if there is no value. */
  resolve(user: User, key: string, options?: EvaluateOptions): Resolution {
    const index = this.#indexes.get(key)
    const variable = index === undefined ? index : this.prepared.variables[index]
    if (variable === undefined) return UNKNOWN
    const state = this.#begin(options)
    const read = toUnvalidated(user)
    const override = options?.overrides && this.#resolveOverride(options.overrides, key, state, read)
    const resolution = override ?? resolveVariable(variable, state, read, this.#onProblem)
    state.isBusy = false
    return resolution
  }

  /** Returns what `resolve` returns for each of `keys`, in their order. Faster than `variables` for many variables. */
  resolveAll(user: User, options?: EvaluateOptions): Resolution[] {
    this.#fallbacks ??= this.prepared.variables.map((variable) => variable.fallback)
    const resolutions = this.#fallbacks.slice()
    this.#forEachDecision(user, options, (decision, indexes) => {
      for (let slot = 0; slot < indexes.length; slot++) {
        // The loop's condition keeps the slot within bounds.
        const index = indexes[slot] as number
        if (decision.status === 'served') {
          const variable = decision.slots[slot]
          if (variable !== undefined) resolutions[index] = variable
        } else if (resolutions[index]?.status !== 'served') resolutions[index] = decision
      }
    })
    return this.prepared.table.order?.map((index) => resolutions[index] as Resolution) ?? resolutions
  }

  /** Returns how a variable is evaluated: each target with its filters, rollout and ranges. Slow; for debugging. */
  explain(user: User, key: string, options?: EvaluateOptions): Explanation {
    // The result and its explanation must be of the same time.
    const fixed = { ...options, now: options?.now ?? Date.now() }
    const state = this.#begin(fixed)
    const read = toUnvalidated(user)
    const overrides = this.#applicableOverrides(state, read, fixed.overrides)
    const features: FeatureExplanation[] = []
    for (
      let binding = this.prepared.variables[this.#indexes.get(key) ?? -1]?.binding;
      binding;
      binding = binding.next
    ) {
      const { feature } = binding
      const override = overrides.find((served) => served.feature._id === feature.source._id)
      features.push(explainPreparedFeature(feature, state, read, override))
    }
    return { key, resolution: this.resolve(user, key, fixed), features }
  }

  /**
   * Returns the result for a variable if an override serves it. The last override takes precedence. Not part of `resolve`,
   * which would allocate for the functions here at each call.
   */
  #resolveOverride(
    overrides: EvaluateOptions['overrides'],
    key: string,
    state: EvaluationState,
    user: UnvalidatedUser
  ): Resolution | undefined {
    const slots = this.#applicableOverrides(state, user, overrides).flatMap((served) => served.slots)
    return slots.findLast((slot) => slot?.variable.key === key)
  }

  /** Built on first use: most evaluators of a config that changes often do not need it. */
  #entry(featureId: string): FeatureEntry | undefined {
    this.#byId ??= new Map(this.prepared.features.map((entry) => [entry.feature.source._id, entry]))
    return this.#byId.get(featureId)
  }

  /** @internal Returns the results that serve this user. Later ones take precedence. */
  served(user: User, options: EvaluateOptions | undefined): Served[] {
    const served: Served[] = []
    this.#forEachDecision(user, options, (decision) => {
      if (decision.status === 'served') served.push(decision)
    })
    return served
  }

  /** Evaluates each feature for this user, then the overrides. Later results take precedence. */
  #forEachDecision(user: User, options: EvaluateOptions | undefined, visit: DecisionVisitor): void {
    const state = this.#begin(options).memoizeConditions()
    const read = toUnvalidated(user)
    for (const { feature, indexes } of this.prepared.features) {
      const decision = decide(feature, state, read)
      if (decision === undefined) continue
      if (decision.status === 'failed') this.#onProblem?.(decision.problem)
      visit(decision, indexes)
    }
    for (const served of this.#applicableOverrides(state, read, options?.overrides)) visit(served, served.indexes)
    state.isBusy = false
  }

  /**
   * Returns the results of the overrides that name a variation of this config, in their own order. An override does not
   * apply to a feature that cannot be evaluated (docs/reference/evaluation.md, Overrides).
   */
  #applicableOverrides(
    state: EvaluationState,
    user: UnvalidatedUser,
    overrides: EvaluateOptions['overrides']
  ): Override[] {
    return Object.entries(overrides ?? {}).flatMap(([featureId, variationId]) => {
      const { feature, indexes = [] } = this.#entry(featureId) ?? {}
      const variation = feature && variationOf(feature, variationId)
      if (!feature || !variation || variation.unknownVariable !== undefined) return []
      if (decide(feature, state, user)?.status === 'failed') return []
      const cached = this.#overrides.get(variation)
      const override = cached ?? {
        ...serve(feature, variation, { reason: 'OVERRIDE', details: 'Override' }),
        indexes
      }
      this.#overrides.set(variation, override)
      return override
    })
  }

  /** Returns a state for an evaluation. It is reused, because a new one would be most of an evaluation's garbage. */
  #begin(options: EvaluateOptions | undefined): EvaluationState {
    // An evaluation that is started inside `onProblem` must not disturb the one in progress.
    if (this.#state.isBusy) this.#state = new EvaluationState(this.prepared)
    return this.#state.reset(options?.now)
  }
}

/** Evaluates the features of a variable in order of precedence until one serves a value. */
function resolveVariable(
  variable: PreparedVariable,
  state: EvaluationState,
  user: UnvalidatedUser,
  onProblem: ProblemListener
): Resolution {
  let failure: Failure | undefined
  for (let binding = variable.binding; binding !== undefined; binding = binding.next) {
    const decision = decide(binding.feature, state, user)
    if (decision === undefined) continue
    if ('slots' in decision) {
      const served = decision.slots[binding.slot]
      if (served !== undefined) return served
    } else {
      onProblem?.(decision.problem)
      failure ??= decision
    }
  }
  return failure ?? variable.fallback
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

/** Returns a record without a prototype, whose keys can be any string, including `__proto__`. */
function emptyRecord<T>(): Record<string, T> {
  return Object.create(null)
}
