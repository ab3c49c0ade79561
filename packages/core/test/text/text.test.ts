import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { type Config, compile, type Feature, ofrepFlags, recompile, toUser } from '../../src/index.ts'
import {
  type BucketedText,
  bucketText,
  featuresText,
  fingerprintOf,
  ofrepResponses,
  toOfrepResponse,
  variablesText
} from '../../src/text.ts'
import { configWith, featureWith, targetWith, variationWith } from '../configs.ts'

const halves = [
  { _variation: 'a', percentage: 0.5 },
  { _variation: 'b', percentage: 0.5 }
]

/** Keys that an object orders by value, and keys that JSON escapes. */
const key = fc.constantFrom('one', 'two', '10', '2', '2a', '__proto__', 'é', '"', '12345678901', '007')

const config: fc.Arbitrary<Config> = fc
  .record({
    features: fc.uniqueArray(fc.record({ key, variable: key, isSplit: fc.boolean(), isFailing: fc.boolean() }), {
      selector: (feature) => feature.key,
      maxLength: 4
    }),
    settings: fc.constantFrom({}, { disablePassthroughRollouts: true })
  })
  .map(({ features, settings }) => {
    const variables = [...new Set(features.map(({ variable }) => variable))].map((name) => {
      return { _id: `id of ${name}`, key: name, type: 'String' as const, metadata: { owner: name } }
    })
    return configWith({
      variables,
      settings,
      features: features.map((feature, index): Feature => {
        const distribution = feature.isFailing ? [{ _variation: 'gone', percentage: 1 }] : halves
        const targets = [targetWith(feature.isSplit || feature.isFailing ? { distribution } : {})]
        const variations = ['a', 'b'].map((name) => variationWith(name, `id of ${feature.variable}`))
        return featureWith({ _id: index % 2 ? feature.key : `f${index}`, key: feature.key, targets, variations })
      })
    })
  })

const user = fc.record({ user_id: fc.string({ minLength: 1, maxLength: 5 }) })
const overrides = fc.option(fc.dictionary(fc.constantFrom('f0', 'one', 'two'), fc.constantFrom('a', 'b')), {
  nil: undefined
})

/** Reads the members of a text, which can be getters. */
function splitText({ features, featureVariationMap, variables, fingerprint }: BucketedText): BucketedText {
  return { features, featureVariationMap, variables, fingerprint }
}

describe('the texts of an evaluation', () => {
  test('are those of its results, for compiled and recompiled configs and with overrides', () => {
    fc.assert(
      fc.property(config, config, user, overrides, (document, before, subject, chosen) => {
        const options = { now: 0, ...(chosen ? { overrides: chosen } : {}) }
        for (const evaluator of [compile(document), recompile(document, recompile(before, undefined))]) {
          // The second time, the texts of the results exist.
          for (let round = 0; round < 2; round++) {
            const { features, featureVariationMap, variables } = evaluator.bucket(subject, options)
            expect(variablesText(evaluator, subject, options)).toBe(JSON.stringify(variables))
            expect(featuresText(evaluator, subject, options)).toBe(JSON.stringify(features))
            expect(splitText(bucketText(evaluator, subject, options))).toEqual({
              features: JSON.stringify(features),
              featureVariationMap: JSON.stringify(featureVariationMap),
              variables: JSON.stringify(variables),
              fingerprint: bucketText(compile(document), subject, options).fingerprint
            })
          }
        }
      }),
      { numRuns: 300 }
    )
  })

  test('have the same fingerprint exactly if they are equal', () => {
    fc.assert(
      fc.property(config, user, user, overrides, (document, one, another, chosen) => {
        const options = { now: 0, ...(chosen ? { overrides: chosen } : {}) }
        const [text, other] = [one, another].map((subject) => {
          const { fingerprint, ...members } = splitText(bucketText(compile(document), subject, options))
          expect(fingerprint).toMatch(/^[\da-f]{16}$/)
          return { fingerprint, members: JSON.stringify(members) }
        })
        expect(text!.fingerprint === other!.fingerprint).toBe(text!.members === other!.members)
      }),
      { numRuns: 300 }
    )
  })

  test('are those of OFREP flags, alone and in bulk', () => {
    fc.assert(
      fc.property(config, fc.constantFrom('u', 'v', ''), (document, targetingKey) => {
        const evaluator = recompile(document, undefined)
        const contextUser = toUser({ targetingKey })
        const { flags, fingerprint } = ofrepFlags(evaluator, contextUser, { now: 0 })
        const responses = ofrepResponses(evaluator, contextUser, { now: 0 })
        expect(responses.map(({ text }) => text)).toEqual(flags.map((flag) => JSON.stringify(flag)))
        expect(fingerprintOf(responses)).toBe(fingerprint)
        for (const [index, name] of evaluator.keys.entries()) {
          const resolution = evaluator.resolve(contextUser.user, name, { now: 0 })
          expect(toOfrepResponse(evaluator, contextUser, name, resolution).text).toBe(responses[index]?.text)
        }
      }),
      { numRuns: 100 }
    )
  })
})

describe('the fingerprint of flags', () => {
  const document = (owners: readonly string[]) => {
    const variables = owners.map((owner, index) => {
      return { _id: `v${index}`, key: `v${index}`, type: 'String' as const, metadata: { owner } }
    })
    return configWith({ variables, features: [] })
  }
  const fingerprint = (owners: readonly string[]) => ofrepFlags(compile(document(owners)), toUser({})).fingerprint

  test('is the same for equal flags of different configs', () => {
    expect(fingerprint(['a', 'b'])).toBe(fingerprint(['a', 'b']))
    expect(fingerprint(['a', 'b'])).toMatch(/^[\da-f]{16}$/)
  })

  test('differs if one flag differs, is missing, or has changed places with another', () => {
    const all = [['a', 'b'], ['a', 'c'], ['b', 'b'], ['b', 'a'], ['a'], ['a', 'b', 'b'], []].map(fingerprint)
    expect(new Set(all).size).toBe(all.length)
  })
})
