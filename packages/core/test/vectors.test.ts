import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { compile } from '../src/compile.ts'
import { JsonCursor } from '../src/json/jsonCursor.ts'
import { toUser } from '../src/openfeature.ts'
import { bucketingHash, bucketingValue, rangeAt, rolloutHash, seedOf, toRanges } from '../src/targeting/bucket.ts'
import { hash } from '../src/targeting/hash.ts'
import { includesPosition, percentageAt, prepareRollout } from '../src/targeting/rollout.ts'
import { configWith, featureWith, targetWith } from './configs.ts'

// The reference engine produced the expected results in test/vectors.
// biome-ignore lint/suspicious/noExplicitAny: each file of vectors has its own shape.
function cases(name: string, ...members: string[]): any[] {
  const { cases: found } = JSON.parse(readFileSync(new URL(`vectors/${name}.json`, import.meta.url), 'utf8'))
  // A test of a missing property would compare it with undefined and could pass by accident.
  for (const vector of found) {
    if (!members.every((member) => member in vector) && !('error' in vector))
      throw new Error(`${name}: ${label(vector)}`)
  }
  return found
}

function label(value: unknown): string {
  return JSON.stringify(value).slice(0, 160)
}

test.each(
  cases('hashes', 'targetSeed', 'rawBucketing', 'rawRollout', 'bucketingHash', 'rolloutHash').map((vector) => [
    label(vector),
    vector
  ])
)('computes hashes: %s', (_, vector) => {
  const seed = seedOf(vector.targetId)
  expect(seed >>> 0).toBe(vector.targetSeed)
  expect(hash(vector.bucketingValue, seed) >>> 0).toBe(vector.rawBucketing)
  expect(hash(`${vector.bucketingValue}_rollout`, seed) >>> 0).toBe(vector.rawRollout)
  expect(bucketingHash(vector.bucketingValue, seed)).toBe(vector.bucketingHash)
  expect(rolloutHash(vector.bucketingValue, seed)).toBe(vector.rolloutHash)
})

test.each(cases('distribution', 'variation').map((vector) => [label(vector), vector]))(
  'selects a variation: %s',
  (_, vector) => {
    expect(rangeAt(toRanges(vector.distribution), vector.boundedHash)?.variation).toBe(vector.variation)
  }
)

test.each(cases('rollouts', 'percentage', 'passes').map((vector) => [label(vector), vector]))(
  'evaluates a rollout: %s',
  (_, vector) => {
    const rollout = prepareRollout(new JsonCursor(vector.rollout))
    if (!rollout) throw new Error('no rollout was read')
    const percentage = percentageAt(rollout, Date.parse(vector.now))
    expect(percentage).toBe(vector.error ? undefined : vector.percentage)
    for (const [position, passes] of Object.entries(vector.passes ?? {})) {
      expect(includesPosition(percentage as number, Number(position))).toBe(passes)
    }
  }
)

test.each(cases('bucketing-key', 'expectedBucketingValue').map((vector) => [label(vector), vector]))(
  'selects the hash input: %s',
  (_, vector) => {
    expect(bucketingValue(vector.user, vector.bucketingKey)).toBe(vector.expectedBucketingValue)
  }
)

test.each(
  ['filters-string', 'filters-version', 'filters-customdata', 'operators']
    .flatMap((name) => cases(name, 'expected'))
    .map((vector) => [label(vector.filters), vector])
)('evaluates filters: %s', (_, vector) => {
  const { filters, user, audiences, extra, expected } = vector
  const feature = featureWith({ targets: [targetWith({ filters })], settings: extra?.fsettings })
  const evaluator = compile(configWith({ features: [feature], audiences, settings: extra?.settings }))
  const evaluation = evaluator.features(user).feature?.eval
  expect(evaluation?.details).toBe(expected.match ? expected.details : undefined)
  expect(evaluation !== undefined).toBe(expected.match)
})

test.each(cases('configs', 'expected').map((vector) => [vector.id, vector]))('evaluates a config: %s', (_, vector) => {
  const { config, user, now, overrides, expected } = vector
  const options = { now: Date.parse(now), overrides }
  const evaluator = compile(config)
  expect(evaluator.bucket(user, options)).toEqual(expected)
  expect(evaluator.features(user, options)).toEqual(expected.features)
  expect(evaluator.variables(user, options)).toEqual(expected.variables)
  for (const { key } of config.variables) {
    expect(evaluator.variable(user, key, options)).toEqual(expected.variables[key])
  }
})

test.each(cases('openfeature-context-mapping', 'user').map((vector) => [label(vector.context), vector]))(
  'converts an evaluation context: %s',
  (_, { context, user, error }) => {
    const read = toUser(context)
    if (error?.name === 'TypeError') {
      // The recorded provider throws for `customData: null`.
      expect(read).toEqual({ user: { user_id: 't' } })
    } else if (error) {
      // The recorded provider reports a key of another type as missing; OFREP wants an invalid context (docs/reference/ofrep.md#errors).
      const isWrongType = [context.targetingKey, context.user_id].some((key) => key != null && typeof key !== 'string')
      expect(read.error?.code).toBe(isWrongType ? 'INVALID_CONTEXT' : (error.code ?? 'INVALID_CONTEXT'))
      expect(read.user).not.toHaveProperty('user_id')
    } else expect(read).toEqual({ user })
  }
)
