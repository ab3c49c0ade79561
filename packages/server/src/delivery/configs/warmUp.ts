import { type Evaluator, recompile, toUser } from '@burgee/core'
import {
  bucketText,
  featuresText,
  fingerprintOf,
  ofrepResponses,
  toOfrepResponse,
  variablesText
} from '@burgee/core/text'
import { createTimeSlices } from '../../lib/time.ts'
import type { KeyConfig } from './keyConfig.ts'

interface Limits {
  /** The maximum duration, in milliseconds. An evaluation in progress is not interrupted. */
  readonly limitMs: number
  readonly isStopping: () => boolean
}

/**
 * Evaluates configs for synthetic users, so that the first requests find cached results and optimized code (ADR 121).
 * Counts, logs and records nothing, and yields to requests between evaluations. If the time runs out, later configs in
 * the list are skipped.
 */
export async function warmUp(
  configs: Iterable<Pick<KeyConfig, 'config' | 'evaluator'>>,
  { limitMs, isStopping }: Limits
): Promise<void> {
  const end = performance.now() + limitMs
  const { yieldIfDue } = createTimeSlices()
  const evaluateAll = async (evaluator: Evaluator, round: number) => {
    for (const evaluate of evaluations) {
      if (performance.now() >= end || isStopping()) return
      evaluate(evaluator, round)
      await yieldIfDue()
    }
  }
  // Types of keys can share an evaluator.
  const unique = new Map([...configs].map(({ config, evaluator }) => [evaluator, config]))
  const copies: Evaluator[] = []
  for (const [evaluator, config] of unique) {
    if (performance.now() >= end || isStopping()) return
    // The copy shares features and results with the evaluator, but reports no problems.
    const copy = recompile(config, evaluator)
    copies.push(copy)
    for (let round = 0; round < users.length; round++) await evaluateAll(copy, round)
  }
  for (let round = users.length; round < ROUNDS; round++) for (const copy of copies) await evaluateAll(copy, round)
}

/** Synthetic users, as OFREP describes them, with the attributes that most rules read. */
const users = Array.from({ length: 10 }, (_, index) =>
  toUser({
    targetingKey: `warm-up-${index}`,
    email: `warm-up-${index}@example.com`,
    country: index % 2 === 0 ? 'US' : 'DE',
    platform: 'web',
    appVersion: `${index}.0.1`,
    plan: 'free'
  })
)

/** The functions that the routes of evaluations and of client configs call. */
const evaluations: readonly ((evaluator: Evaluator, round: number) => void)[] = [
  (evaluator, round) => {
    const contextUser = userOf(round)
    for (const key of evaluator.keys.slice(round % 10, (round % 10) + 10)) {
      toOfrepResponse(evaluator, contextUser, key, evaluator.resolve(contextUser.user, key))
    }
  },
  (evaluator, round) => variablesText(evaluator, userOf(round).user),
  (evaluator, round) => fingerprintOf(ofrepResponses(evaluator, userOf(round))),
  (evaluator, round) => ofrepResponses(evaluator, userOf(round)).map(({ text }) => text),
  (evaluator, round) => featuresText(evaluator, userOf(round).user),
  (evaluator, round) => {
    const text = bucketText(evaluator, userOf(round).user)
    return [text.fingerprint, text.features, text.featureVariationMap, text.variables]
  }
]

function userOf(round: number) {
  return users[round % users.length] ?? toUser({})
}

/** Further rounds do not make evaluations of a small config faster. */
const ROUNDS = 200
