import type { EvaluateOptions, Evaluator } from './evaluator.ts'
import { isJoinable } from './joinable.ts'
import { fingerprintOf } from './openfeature.ts'
import { hash } from './targeting/hash.ts'
import type { Served } from './targeting/served.ts'
import type { User } from './types/user.ts'

export type { FlagResponse } from './openfeature/ofrepFlag.ts'
export { fingerprintOf, ofrepResponses, toOfrepResponse } from './openfeature.ts'

/** The members of a bucketed config that depend on the user, each as JSON text that is made when it is read. */
export interface BucketedText {
  readonly features: string
  readonly featureVariationMap: string
  readonly variables: string
  /** 16 hexadecimal digits that are equal for equal texts. Needs none of them. */
  readonly fingerprint: string
}

type Member = Exclude<keyof BucketedText, 'fingerprint'>

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
  if (!canJoin(evaluator, options)) return stringifyBucketed(evaluator.bucket(user, options))
  return new JoinedText(evaluator.served(user, options))
}

/** Returns the members of a bucketed config as JSON text. */
export function stringifyBucketed(bucketed: Readonly<Record<Member, object>>): BucketedText {
  const features = JSON.stringify(bucketed.features)
  const featureVariationMap = JSON.stringify(bucketed.featureVariationMap)
  const variables = JSON.stringify(bucketed.variables)
  const fingerprint = fingerprintOf([{ hashes: hashesOf(`${features}${featureVariationMap}${variables}`) }])
  return { features, featureVariationMap, variables, fingerprint }
}

class JoinedText implements BucketedText {
  readonly #served: readonly Served[]

  constructor(served: readonly Served[]) {
    this.#served = served
  }

  get features(): string {
    return join(this.#served, 'features')
  }

  get featureVariationMap(): string {
    return join(this.#served, 'featureVariationMap')
  }

  get variables(): string {
    return join(this.#served, 'variables')
  }

  get fingerprint(): string {
    return fingerprintOf(this.#served.map(textOf))
  }
}

/** Joins a member of the texts of results to an object. */
function join(served: readonly Served[], member: Member): string {
  let text = ''
  for (const result of served) {
    const members = textOf(result)[member]
    if (members !== '') text += text === '' ? members : `,${members}`
  }
  return `{${text}}`
}

/** The members that a result adds to each object, without braces, and the hashes of them. */
interface ServedText extends Readonly<Record<Member, string>> {
  readonly hashes: readonly [number, number]
}

/** A result is shared by all users who get the same. */
const texts = new WeakMap<Served, ServedText>()

function textOf(served: Served): ServedText {
  const known = texts.get(served)
  if (known) return known
  const { feature, variables } = served
  const members = {
    features: memberOf(feature.key, feature),
    featureVariationMap: memberOf(feature._id, feature._variation),
    variables: variables.map((variable) => memberOf(variable.key, variable)).join(',')
  }
  const text = { ...members, hashes: hashesOf(Object.values(members).join()) }
  texts.set(served, text)
  return text
}

function hashesOf(text: string): readonly [number, number] {
  return [hash(text, 1), hash(text, 2)]
}

function memberOf(name: string, value: unknown): string {
  return `${JSON.stringify(name)}:${JSON.stringify(value)}`
}

/** Whether objects can be joined from the texts of results. An override repeats the members of its feature. */
function canJoin(evaluator: Evaluator<object>, options: EvaluateOptions | undefined): boolean {
  return !options?.overrides && isJoinable(evaluator.prepared)
}
