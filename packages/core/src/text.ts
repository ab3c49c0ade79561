import type { EvaluateOptions, Evaluator } from './evaluator.ts'
import { isJoinable } from './joinable.ts'
import type { Served } from './targeting/served.ts'
import type { User } from './types/user.ts'

export type { FlagResponse } from './openfeature/ofrepFlag.ts'
export { fingerprintOf, ofrepResponses, toOfrepResponse } from './openfeature.ts'

/** The members of a bucketed config that depend on the user, each as JSON text. */
export interface BucketedText {
  readonly features: string
  readonly featureVariationMap: string
  readonly variables: string
}

/** Returns `JSON.stringify(evaluator.variables(user, options))`, joined from the texts of results. */
export function variablesText(evaluator: Evaluator<object>, user: User, options?: EvaluateOptions): string {
  if (!canJoin(evaluator, options)) return JSON.stringify(evaluator.variables(user, options))
  return join(evaluator.served(user, options), 'variables')
}

/** Returns `JSON.stringify(evaluator.features(user, options))`, joined from the texts of results. */
export function featuresText(evaluator: Evaluator<object>, user: User, options?: EvaluateOptions): string {
  if (!canJoin(evaluator, options)) return JSON.stringify(evaluator.features(user, options))
  return join(evaluator.served(user, options), 'features')
}

/** Returns the members of `evaluator.bucket(user, options)` as JSON text. */
export function bucketText(evaluator: Evaluator<object>, user: User, options?: EvaluateOptions): BucketedText {
  if (!canJoin(evaluator, options)) {
    const { features, featureVariationMap, variables } = evaluator.bucket(user, options)
    return {
      features: JSON.stringify(features),
      featureVariationMap: JSON.stringify(featureVariationMap),
      variables: JSON.stringify(variables)
    }
  }
  const served = evaluator.served(user, options)
  return {
    features: join(served, 'features'),
    featureVariationMap: join(served, 'featureVariationMap'),
    variables: join(served, 'variables')
  }
}

/** Joins a member of the texts of results to an object. */
function join(served: readonly Served[], member: keyof BucketedText): string {
  let text = ''
  for (const result of served) {
    const members = textOf(result)[member]
    if (members !== '') text += text === '' ? members : `,${members}`
  }
  return `{${text}}`
}

/** The members that results add to each object, without braces. A result is shared by all users who get the same. */
const texts = new WeakMap<Served, BucketedText>()

function textOf(served: Served): BucketedText {
  const known = texts.get(served)
  if (known) return known
  const { feature, variables } = served
  const text = {
    features: memberOf(feature.key, feature),
    featureVariationMap: memberOf(feature._id, feature._variation),
    variables: variables.map((variable) => memberOf(variable.key, variable)).join(',')
  }
  texts.set(served, text)
  return text
}

function memberOf(name: string, value: unknown): string {
  return `${JSON.stringify(name)}:${JSON.stringify(value)}`
}

/** Whether objects can be joined from the texts of results. An override repeats the members of its feature. */
function canJoin(evaluator: Evaluator<object>, options: EvaluateOptions | undefined): boolean {
  return !options?.overrides && isJoinable(evaluator.prepared)
}
