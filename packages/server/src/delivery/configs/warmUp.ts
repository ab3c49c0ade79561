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
  /** The maximum duration, in milliseconds. An evaluation that has started is finished. */
  readonly limitMs: number
  readonly isStopping: () => boolean
}

/**
 * Evaluates configs for invented users, so that the first clients find prepared results and optimized code (ADR 121).
 * Nothing is counted, logged or recorded, and requests get turns in between. The first configs are the most likely to be
 * finished in time.
 */
export async function warmUp(
  configs: Iterable<Pick<KeyConfig, 'config' | 'evaluator'>>,
  { limitMs, isStopping }: Limits
): Promise<void> {
  const end = performance.now() + limitMs
  const { yieldIfDue } = createTimeSlices()
  const evaluateFor = async (twin: Evaluator, round: number) => {
    for (const evaluate of evaluations) {
      if (performance.now() >= end || isStopping()) return
      evaluate(twin, round)
      await yieldIfDue()
    }
  }
  // Types of keys can share an evaluator.
  const unique = new Map([...configs].map(({ config, evaluator }) => [evaluator, config]))
  const twins: Evaluator[] = []
  for (const [evaluator, config] of unique) {
    if (performance.now() >= end || isStopping()) return
    // The twin shares features and results with the evaluator, but reports no problems.
    const twin = recompile(config, evaluator)
    twins.push(twin)
    for (let round = 0; round < users.length; round++) await evaluateFor(twin, round)
  }
  for (let round = users.length; round < ROUNDS; round++) for (const twin of twins) await evaluateFor(twin, round)
}

/** Invented users, as OFREP describes them. Their attributes are the ones that most rules read. */
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

/** What the routes of evaluations and of client configs call. */
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
  (evaluator, round) => bucketText(evaluator, userOf(round).user)
]

function userOf(round: number) {
  return users[round % users.length] ?? toUser({})
}

/** More do not make the evaluations of a small config faster. */
const ROUNDS = 200
