import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  type BucketedConfig,
  type CompileOptions,
  type Config,
  ConfigError,
  compile,
  type EvaluateOptions,
  type Evaluator,
  type Feature,
  type Operator,
  ofrepFlags,
  type Problem,
  recompile,
  type Target,
  toUser,
  type User,
  type Variable,
  type Variation,
  withOverrides
} from '../src/index.ts'
import { bucketText } from '../src/text.ts'
import { configWith, featureWith, targetWith, variationWith } from './configs.ts'

const word = fc.constantFrom('', 'a', 'b', 'CA', 'pro', '1.2.3', '2', 'é', '__proto__')
const scalar = fc.oneof(word, fc.integer({ min: -2, max: 5 }), fc.boolean(), fc.constant(null))

const filter = fc.oneof(
  { weight: 1, arbitrary: fc.constant({ type: 'all' }) },
  {
    weight: 6,
    arbitrary: fc.record({
      type: fc.constant('user'),
      subType: fc.constantFrom(
        'user_id',
        'email',
        'country',
        'platform',
        'appVersion',
        'platformVersion',
        'customData'
      ),
      comparator: fc.constantFrom('=', '!=', '>', '<=', 'exist', '!exist', 'contain', '!contain', 'startWith', 'odd'),
      values: fc.array(scalar, { maxLength: 3 }),
      dataKey: word
    })
  },
  {
    weight: 1,
    arbitrary: fc.record({
      type: fc.constant('audienceMatch'),
      comparator: fc.constantFrom('=', '!='),
      _audiences: fc.array(fc.constantFrom('one', 'two', 'nowhere'), { maxLength: 2 })
    })
  }
)

const { operator } = fc.letrec<{ operator: Operator }>((tie) => ({
  operator: fc.record({
    operator: fc.constantFrom('and', 'or', 'xor'),
    filters: fc.array(fc.oneof({ maxDepth: 3 }, filter, tie('operator')), { minLength: 1, maxLength: 3 })
  })
}))

const user: fc.Arbitrary<User> = fc.record({
  user_id: fc.string({ maxLength: 12 }),
  email: word,
  country: word,
  platform: word,
  appVersion: word,
  customData: fc.dictionary(word, scalar, { maxKeys: 3 }),
  privateCustomData: fc.dictionary(word, scalar, { maxKeys: 2 })
})

const percentage = fc.constantFrom(0, 0.25, 0.5, 0.75, 1)

const rules = fc.array(fc.tuple(operator, percentage, percentage), { maxLength: 3 })
type Rules = readonly [filters: Operator, share: number, admitted: number][]

const config: fc.Arbitrary<Config> = fc
  .record({
    features: fc.array(rules, { maxLength: 4 }),
    audiences: fc.record({ one: operator, two: operator })
  })
  .map(({ features, audiences }) =>
    configWith({
      features: features.map(numberedFeature),
      variables: features.map((_, index) => numberedVariable(index)),
      audiences: { one: { filters: audiences.one }, two: { filters: audiences.two } }
    })
  )

function numberedVariable(index: number): Variable {
  return { _id: `variable-${index}`, key: `variable-${index}`, type: 'String' }
}

function numberedFeature(rules: Rules, index: number): Feature {
  return featureWith({
    _id: `f${index}`,
    key: `feature-${index}`,
    variations: ['a', 'b'].map((name) => variationWith(name, `variable-${index}`)),
    targets: numberedTargets(rules, index)
  })
}

function numberedTargets(rules: Rules, index: number): Target[] {
  return rules.map(([filters, share, admitted], position) =>
    targetWith({
      _id: `target-${index}-${position}`,
      filters,
      distribution: [
        { _variation: 'a', percentage: share },
        { _variation: 'b', percentage: 1 - share }
      ],
      rollout: { type: 'gradual', startDate: '2025-01-01T00:00:00.000Z', startPercentage: admitted }
    })
  )
}

/** Makes the next state of a config, which may be malformed. Unchanged objects keep their identity. */
type Edit = (document: Config) => Config

const number = fc.nat(5)
const edit: fc.Arbitrary<Edit> = fc.oneof(
  { weight: 6, arbitrary: fc.tuple(number, rules).map(([at, made]) => changed(at, { targets: made })) },
  {
    weight: 2,
    arbitrary: fc
      .tuple(number, fc.uniqueArray(number, { maxLength: 2 }))
      .map(([at, variableNumbers]) => changed(at, { variableNumbers }))
  },
  fc.tuple(number, fc.constantFrom('release', 'none')).map(([at, type]) => changed(at, { type })),
  fc.tuple(number, fc.boolean()).map(([at, optInEnabled]) => changed(at, { settings: { optInEnabled } })),
  fc.tuple(number, rules).map(([index, made]): Edit => {
    return (document) => ({ ...document, features: [...document.features, numberedFeature(made, index)] })
  }),
  number.map(
    (at): Edit =>
      (document) => ({ ...document, features: document.features.toSpliced(at, 1) })
  ),
  // Features are created or deleted with their variables, at any position.
  fc.tuple(number, number, rules).map(([at, index, made]): Edit => {
    return (document) => ({
      ...document,
      features: document.features.toSpliced(at, 0, numberedFeature(made, index)),
      variables: document.variables.toSpliced(at, 0, numberedVariable(index))
    })
  }),
  fc.tuple(number, number).map(([at, count]): Edit => {
    return (document) => {
      const deleted = new Set(document.features.slice(at, at + count).map(({ _id }) => `variable-${_id.slice(1)}`))
      return {
        ...document,
        features: document.features.toSpliced(at, count),
        variables: document.variables.filter(({ _id }) => !deleted.has(_id))
      }
    }
  }),
  fc.constant<Edit>((document) => ({ ...document, features: document.features.toReversed() })),
  fc.tuple(fc.constantFrom('one', 'two', 'three'), operator).map(([id, filters]): Edit => {
    return (document) => ({ ...document, audiences: { ...document.audiences, [id]: { filters } } })
  }),
  fc.constant<Edit>(({ audiences: _none, ...document }) => document),
  fc.tuple(number, fc.constantFrom('String', 'JSON')).map(([index, type]): Edit => {
    const others = (variables: Config['variables']) => variables.filter(({ _id }) => _id !== `variable-${index}`)
    return (document) => {
      return { ...document, variables: [{ ...numberedVariable(index), type }, ...others(document.variables)] }
    }
  }),
  number.map(
    (at): Edit =>
      (document) => ({ ...document, variables: document.variables.toSpliced(at, 1) })
  ),
  fc.tuple(fc.boolean(), fc.boolean()).map(([enabled, disablePassthroughRollouts]): Edit => {
    const settings = { optIn: { enabled }, disablePassthroughRollouts }
    return (document) => ({ ...document, project: { ...document.project, settings } })
  }),
  fc.option(number, { nil: undefined }).map((index): Edit => {
    return ({ offValues: _before, ...document }) => {
      if (index === undefined) return document
      return { ...document, offValues: { [`variable-${index}`]: { variant: 'off', value: index } } }
    }
  })
)

function valuesOf(name: string, variableNumbers: readonly number[]): Variation['variables'] {
  return variableNumbers.map((index) => ({ _var: `variable-${index}`, value: `${name} for ${index}` }))
}

function changed(
  at: number,
  parts: { targets?: Rules; variableNumbers?: readonly number[]; type?: string; settings?: Feature['settings'] }
): Edit {
  return (document) => {
    const feature = document.features[at % document.features.length]
    if (!feature) return document
    const { targets, variableNumbers, type = feature.type, settings = feature.settings } = parts
    const next = {
      ...feature,
      ...(settings ? { settings } : {}),
      // May be an invalid type, which is rejected.
      type: type as Feature['type'],
      variations: variableNumbers
        ? feature.variations.map((variation) => ({ ...variation, variables: valuesOf(variation.key, variableNumbers) }))
        : feature.variations,
      configuration: targets
        ? { ...feature.configuration, targets: numberedTargets(targets, at) }
        : feature.configuration
    }
    return { ...document, features: document.features.map((one) => (one === feature ? next : one)) }
  }
}

const at = { now: Date.parse('2025-06-01T00:00:00.000Z') }

describe('for any config and user', () => {
  test('evaluation does not throw, and all methods agree', () => {
    fc.assert(
      fc.property(config, user, (document, who) => {
        const evaluator = compile(document)
        const bucketed = evaluator.bucket(who, at)
        expect(evaluator.features(who, at)).toEqual(bucketed.features)
        expect(evaluator.variables(who, at)).toEqual(bucketed.variables)
        for (const key of evaluator.keys) {
          const variable = evaluator.variable(who, key, at)
          expect(variable).toBe(bucketed.variables[key])
          const explanation = evaluator.explain(who, key, at)
          const chosen = explanation.features.flatMap(({ targets }) => targets.filter(({ isChosen }) => isChosen))
          expect(chosen.map(({ _id }) => _id)).toEqual(variable ? [variable.eval.target_id] : [])
          expect(explanation.resolution).toEqual(evaluator.resolve(who, key, at))
        }
      })
    )
  })

  test('a recompiled config returns the same results as a compiled one', () => {
    fc.assert(
      fc.property(config, fc.array(edit, { maxLength: 12 }), user, (first, edits, who) => {
        let document = first
        let previous: Evaluator | undefined
        const states: (() => void)[] = []
        for (const next of [(same: Config) => same, ...edits]) {
          const [alone, after] = [next(document), next(document)]
          const [expected, actual] = [compiled(alone), recompiled(after, previous)]
          if (typeof expected === 'string' || typeof actual === 'string') {
            expect(actual).toBe(expected)
            continue
          }
          states.push(() => expect(resultsOf(actual, who)).toEqual(resultsOf(expected, who)))
          states.at(-1)?.()
          document = after
          previous = actual.evaluator
        }
        // Previous evaluators must not be affected.
        for (const check of states) check()
      })
    )
  })

  test('the order of features and properties and unused attributes have no effect', () => {
    fc.assert(
      fc.property(config, user, (document, who) => {
        const before = compile(document).bucket(who, at)
        const features = [...document.features].reverse()
        const shuffled = reverseProperties({ ...document, features }) as Config
        const after = compile(shuffled).bucket(
          reverseProperties({ ...who, deviceModel: 'x', name: 'y', other: 1 }) as User,
          at
        )
        expect(after).toEqual(before)
      })
    )
  })

  test('overrides in the config give the same values as the option overrides', () => {
    const chosen = fc.dictionary(fc.constantFrom('f0', 'f1', 'f2', 'nowhere'), fc.constantFrom('a', 'b', 'other'))
    const overrides = fc.dictionary(fc.string({ maxLength: 12 }), chosen, { maxKeys: 4 })
    fc.assert(
      fc.property(config, fc.array(user, { maxLength: 3 }), overrides, (document, others, overridesByUser) => {
        const made = compile(withOverrides(document, overridesByUser))
        const inMap = compile(withOverrides(document, new Map(Object.entries(overridesByUser))))
        for (const who of [...others, ...Object.keys(overridesByUser).map((user_id) => ({ user_id }))]) {
          const own = Object.hasOwn(overridesByUser, who.user_id)
            ? { overrides: overridesByUser[who.user_id] ?? {} }
            : {}
          let isDecided = true
          const expected = compile(document, { onProblem: () => (isDecided = false) }).bucket(who, { ...at, ...own })
          // The option does not apply to a feature that fails.
          if (!isDecided) continue
          const actual = made.bucket(who, at)
          expect(actual.featureVariationMap).toEqual(expected.featureVariationMap)
          expect(valuesIn(actual)).toEqual(valuesIn(expected))
          expect(inMap.bucket(who, at)).toEqual(actual)
        }
      })
    )
  })

  test('a rollout with a higher percentage includes every user of a lower one', () => {
    fc.assert(
      fc.property(fc.string(), fc.integer({ min: 0, max: 100 }), fc.integer({ min: 0, max: 100 }), (user_id, a, b) => {
        const isServed = (startPercentage: number) => {
          const rollout = { type: 'gradual', startDate: '2025-01-01T00:00:00.000Z', startPercentage }
          const evaluator = compile(configWith({ features: [featureWith({ targets: [targetWith({ rollout })] })] }))
          return evaluator.variable({ user_id }, 'variable', at) !== undefined
        }
        expect(isServed(Math.min(a, b) / 100) && !isServed(Math.max(a, b) / 100)).toBe(false)
      })
    )
  })

  test('a rollout includes approximately its percentage', () => {
    for (const startPercentage of [0, 0.1, 0.5, 0.9, 1]) {
      const rollout = { type: 'gradual', startDate: '2025-01-01T00:00:00.000Z', startPercentage }
      const evaluator = compile(configWith({ features: [featureWith({ targets: [targetWith({ rollout })] })] }))
      const users = Array.from({ length: 5_000 }, (_, index) => ({ user_id: `user-${index}` }))
      const share = users.filter((who) => evaluator.variable(who, 'variable', at)).length / users.length
      expect(Math.abs(share - startPercentage)).toBeLessThan(startPercentage % 1 === 0 ? 1e-9 : 0.03)
    }
  })

  test('a linear rollout never excludes a user it included before', () => {
    const rollout = {
      type: 'gradual',
      startDate: '2025-01-01T00:00:00.000Z',
      startPercentage: 0.1,
      stages: [{ type: 'linear', date: '2025-02-01T00:00:00.000Z', percentage: 1 }]
    }
    const evaluator = compile(configWith({ features: [featureWith({ targets: [targetWith({ rollout })] })] }))
    const start = Date.parse('2025-01-01T00:00:00.001Z')
    fc.assert(
      fc.property(fc.string(), fc.nat(4_000_000_000), fc.nat(4_000_000_000), (user_id, a, b) => {
        const isServed = (after: number) =>
          evaluator.variable({ user_id }, 'variable', { now: start + after }) !== undefined
        expect(isServed(Math.min(a, b)) && !isServed(Math.max(a, b))).toBe(false)
      })
    )
  })

  test('any JSON can be evaluated as a user', () => {
    const evaluators = fc.sample(config, { numRuns: 20, seed: 7 }).map((document) => compile(document))
    fc.assert(
      fc.property(fc.jsonValue(), fc.jsonValue(), (anything, overrides) => {
        for (const evaluator of evaluators) {
          const options = { ...at, overrides: overrides as never }
          evaluator.bucket(anything as never, options)
          for (const key of evaluator.keys) evaluator.explain(anything as never, key, options)
          ofrepFlags(evaluator, toUser(anything), options)
        }
      })
    )
  })

  test('any JSON as a config compiles or throws a ConfigError', () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.nat(), config, (anything, where, document) => {
        const text = JSON.stringify(document)
        const values = [...text.matchAll(/:(?="|\d|\{|\[)/g)]
        const mutated = values[where % values.length]
        const position = (mutated?.index ?? 0) + 1
        const candidates = [anything, spliced(text, position, JSON.stringify(anything))]
        for (const candidate of candidates) {
          try {
            compile(candidate as never).bucket({ user_id: 'u' })
          } catch (error) {
            expect(error).toBeInstanceOf(ConfigError)
          }
        }
      })
    )
  })
})

function valuesIn({ variables }: BucketedConfig): Record<string, unknown> {
  return Object.fromEntries(Object.entries(variables).map(([key, { value }]) => [key, value]))
}

interface Compiled {
  readonly evaluator: Evaluator
  readonly problems: Problem[]
}

/** Returns the evaluator, or the error as text. */
function tryCompile(make: (options: CompileOptions) => Evaluator): Compiled | string {
  const problems: Problem[] = []
  try {
    return { evaluator: make({ onProblem: (problem) => problems.push(problem) }), problems }
  } catch (error) {
    return String(error)
  }
}

function compiled(document: Config): Compiled | string {
  return tryCompile((options) => compile(document, options))
}

function recompiled(document: Config, previous: Evaluator | undefined): Compiled | string {
  return tryCompile((options) => recompile(document, previous, options))
}

/** Returns the results of all methods for a user. */
function resultsOf({ evaluator, problems }: Compiled, who: User): unknown {
  const asked = [at, { ...at, overrides: { f0: 'b', f1: 'a' } }].map((options) => ({
    all: evaluator.resolveAll(who, options),
    bucketed: evaluator.bucket(who, options),
    text: textsOf(evaluator, who, options),
    flags: ofrepFlags(evaluator, { user: who }, options),
    each: evaluator.keys.map((key) => [key, evaluator.resolve(who, key, options), evaluator.explain(who, key, options)])
  }))
  return { asked, problems: problems.splice(0) }
}

function textsOf(evaluator: Compiled['evaluator'], who: User, options: EvaluateOptions) {
  const { features, featureVariationMap, variables, fingerprint } = bucketText(evaluator, who, options)
  return { features, featureVariationMap, variables, fingerprint }
}

/** Returns a copy with the properties of every object in reverse order. */
function reverseProperties(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(reverseProperties)
  if (typeof value !== 'object' || value === null) return value
  const entries = Object.entries(value).map(([member, inner]) => [member, reverseProperties(inner)])
  return Object.fromEntries(entries.reverse())
}

/** Returns the document with the value that starts at a position replaced. */
function spliced(text: string, position: number, replacement: string): unknown {
  for (let end = position + 1; end <= text.length; end++) {
    try {
      JSON.parse(text.slice(position, end))
      return JSON.parse(text.slice(0, position) + replacement + text.slice(end))
    } catch {
      // The value is longer. A number may be cut short, which gives another valid document.
    }
  }
  return undefined
}

test.each([[[0.5, 0.5]], [[0.1, 0.9]], [[0.25, 0.25, 0.5]], [[0.33, 0.33, 0.34]], [[0.01, 0.09, 0.9]]])(
  'splits users by the shares %j (chi-square at p = 0.0001)',
  (shares) => {
    const distribution = shares.map((percentage, index) => ({ _variation: 'abc'.charAt(index), percentage }))
    const evaluator = compile(configWith({ features: [featureWith({ targets: [targetWith({ distribution })] })] }))
    const counts = new Map<unknown, number>()
    const users = 20_000
    for (let index = 0; index < users; index++) {
      const value = evaluator.variable({ user_id: `user-${index}` }, 'variable', at)?.value
      counts.set(value, (counts.get(value) ?? 0) + 1)
    }
    const chiSquare = distribution.reduce((sum, { _variation, percentage: share }) => {
      return sum + ((counts.get(_variation) ?? 0) - users * share) ** 2 / (users * share)
    }, 0)
    // The critical values for one and two degrees of freedom.
    expect(chiSquare).toBeLessThan(shares.length === 2 ? 15.14 : 18.42)
  }
)

test('splits the users of two features independently', () => {
  const halves = [
    { _variation: 'a', percentage: 0.5 },
    { _variation: 'b', percentage: 0.5 }
  ]
  const feature = (key: string): Feature =>
    featureWith({
      _id: key,
      key,
      variations: ['a', 'b'].map((name) => variationWith(name, key)),
      targets: [targetWith({ _id: `target of ${key}`, distribution: halves })]
    })
  const evaluator = compile(
    configWith({
      features: [feature('first'), feature('second')],
      variables: ['first', 'second'].map((key) => ({ _id: key, key, type: 'String' }))
    })
  )
  const counts: Record<string, number> = { aa: 0, ab: 0, ba: 0, bb: 0 }
  for (let index = 0; index < 20_000; index++) {
    const { first, second } = evaluator.variables({ user_id: `user-${index}` }, at)
    counts[`${first?.value}${second?.value}`]! += 1
  }
  const chiSquare = Object.values(counts).reduce((sum, count) => sum + (count - 5000) ** 2 / 5000, 0)
  expect(chiSquare).toBeLessThan(21.11)
})
