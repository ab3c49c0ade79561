import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  type Config,
  compile,
  type Evaluator,
  type Feature,
  type Filter,
  type Operator,
  ofrepFlags,
  recompile
} from '../src/index.ts'
import { configWith, featureWith, targetWith, variationWith } from './configs.ts'

const keys = ['one', 'two', 'three']
const document = configWith({
  features: keys.map((key) => featureFor(key)),
  variables: keys.map((key) => ({ _id: key, key, type: 'String' }))
})

/** Builds a feature with one variable of the same key, for the users with these ids or for all users. */
function featureFor(key: string, ids?: readonly string[]): Feature {
  const filter: Filter = ids ? { type: 'user', subType: 'user_id', comparator: '=', values: ids } : { type: 'all' }
  return featureWith({
    _id: key,
    key,
    variations: ['a', 'b'].map((name) => variationWith(name, key)),
    targets: [targetWith({ _id: `target of ${key}`, filters: { operator: 'and', filters: [filter] } })]
  })
}

function withFeature(config: Config, feature: Feature): Config {
  return { ...config, features: config.features.map((one) => (one._id === feature._id ? feature : one)) }
}

const ada = { user_id: 'ada' }

describe('a recompiled config', () => {
  it('reflects the change and nothing else', () => {
    const before = recompile(document, undefined)
    const served = before.variables(ada)
    const after = recompile(withFeature(document, featureFor('two', ['bob'])), before)
    expect(Object.keys(after.variables(ada))).toEqual(['one', 'three'])
    expect(after.variable({ user_id: 'bob' }, 'two')?.value).toBe('a')
    expect(Object.keys(before.variables(ada))).toEqual(keys)
    // Cached results are reused.
    expect(after.variable(ada, 'one')).toBe(served.one)
  })

  it('does not read unchanged objects again', () => {
    const unread = { ...document, features: document.features.map((feature) => ({ ...feature })) }
    const before = recompile(unread, undefined)
    for (const feature of unread.features) Object.defineProperty(feature, 'variations', { get: unexpected })
    const after = recompile(withFeature(unread, featureFor('two', ['bob'])), before)
    expect(Object.keys(after.variables(ada))).toEqual(['one', 'three'])
    const longer = { ...unread, features: [...unread.features, featureFor('four')] }
    const variables = [...unread.variables, { _id: 'four', key: 'four', type: 'String' as const }]
    expect(Object.keys(recompile({ ...longer, variables }, after).variables(ada))).toEqual([...keys, 'four'])
  })

  it('equals a compiled one after any changes of its features and variables', () => {
    const keys = fc.uniqueArray(fc.constantFrom('a', 'b', 'c', 'd', 'e', 'f', '10', '2'), { maxLength: 8 })
    const variable = (key: string, text: string) => ({
      _id: `id of ${text === 'moved' ? `other ${key}` : key}`,
      key,
      type: 'String' as const,
      metadata: { text }
    })
    const variables = keys.chain((chosen) => {
      return fc.tuple(...chosen.map((key) => fc.constantFrom('one', 'two', 'moved').map((text) => variable(key, text))))
    })
    const made = new Map<string, unknown>()
    /** Returns the same object for an equal one, as a caller that reuses what did not change. */
    const same = <T>(item: T): T => {
      const text = JSON.stringify(item)
      if (!made.has(text)) made.set(text, item)
      return made.get(text) as T
    }
    const step = fc.record({ variables, features: keys, off: fc.boolean(), from: fc.nat(8) })
    const resultsOf = (evaluator: Evaluator) => ({
      keys: evaluator.keys,
      all: evaluator.resolveAll(ada, { now: 0 }),
      each: ['a', 'b', 'c', 'd', 'e', 'f', '10', '2'].map((key) => evaluator.resolve(ada, key, { now: 0 })),
      bucket: evaluator.bucket(ada, { now: 0 }),
      flags: ofrepFlags(evaluator, { user: ada }, { now: 0 })
    })
    fc.assert(
      fc.property(fc.array(step, { maxLength: 8 }), (steps) => {
        const states: { readonly evaluator: Evaluator; readonly expected: object }[] = []
        for (const { variables, features, off, from } of steps) {
          const parts = configWith({
            variables: variables.map(same),
            features: features.map((key) => {
              const { _id = 'unknown' } = variables.find((one) => one.key === key) ?? {}
              return same({ ...featureFor(key), variations: [variationWith('a', _id)] })
            })
          })
          const config = off ? { ...parts, offValues: { a: same({ variant: 'off', value: 'x' }) } } : parts
          // Several states can follow one: the environments of a project share variables.
          const previous = states[Math.min(from, states.length - 1)]
          states.push({ evaluator: recompile(config, previous?.evaluator), expected: resultsOf(compile(config)) })
          for (const { evaluator, expected } of states) expect(resultsOf(evaluator)).toEqual(expected)
        }
      })
    )
  })

  it('equals a compiled one after more variables have come and gone than it has', () => {
    const kept = { _id: 'kept', key: 'kept', type: 'String' as const }
    let evaluator: Evaluator | undefined
    for (let round = 0; round < 300; round++) {
      const key = `${round % 7}-${round}`
      const config = configWith({
        features: [featureFor('kept'), featureFor(key)],
        variables: [kept, { _id: key, key, type: 'String' }]
      })
      evaluator = recompile(config, evaluator)
      expect(evaluator.variables(ada, { now: 0 })).toEqual(compile(config).variables(ada, { now: 0 }))
      expect(evaluator.keys).toEqual([key, 'kept'])
    }
  })

  it('equals a compiled one after thousands of variables were added', () => {
    const before = recompile(document, undefined)
    const added = Array.from({ length: 200_000 }, (_, index) => ({
      _id: `${index}`,
      key: `${index}`,
      type: 'String' as const
    }))
    const config = { ...document, variables: [...document.variables, ...added] }
    const after = recompile(config, before)
    expect(after.keys).toEqual(compile(config).keys)
    expect(after.variables(ada, { now: 0 })).toEqual(before.variables(ada, { now: 0 }))
  })

  it('can have the former variables again after another config with the same ones has replaced them', () => {
    const one = recompile(document, undefined)
    const other = recompile({ ...document, environment: { _id: 'other', key: 'other' } }, undefined)
    const added = { _id: 'four', key: 'four', type: 'String' } as const
    const next = recompile({ ...document, variables: [...document.variables, added] }, one)
    expect(next.keys).toEqual([...keys, 'four'].sort())
    const changed = { ...document, features: document.features.slice(1) }
    for (const previous of [one, other, next, undefined]) {
      const evaluator = recompile(changed, previous)
      expect(evaluator.keys).toEqual([...keys].sort())
      expect(evaluator.variables(ada)).toEqual(compile(changed).variables(ada))
    }
  })

  it('is rejected if a variable appears twice, and the previous state remains usable', () => {
    const before = recompile(document, undefined)
    const [first] = document.variables
    for (const twice of [
      { ...first, _id: 'other' },
      { ...first, key: 'other' }
    ]) {
      const malformed = { ...document, variables: [...document.variables, twice] } as Config
      expect(() => recompile(malformed, before)).toThrow(/variables\[3\]\.(_id|key) should be unique/)
    }
    expect(Object.keys(recompile(document, before).variables(ada))).toEqual(keys)
  })

  it('reads the whole document after an evaluator made by compile', () => {
    expect(Object.keys(recompile(document, compile(document)).variables(ada))).toEqual(keys)
  })

  it('finds a variable that was missing from the previous config', () => {
    const before = recompile({ ...document, variables: document.variables.slice(1) }, undefined)
    expect(before.resolve(ada, 'one').status).toBe('unknown')
    expect(recompile(document, before).variable(ada, 'one')?.value).toBe('a')
  })

  it.each([
    ['a new feature', withFeature(document, { ...featureFor('two'), type: 'odd' as 'release' }), 'features[1].type'],
    ['a key twice', withFeature(document, { ...featureFor('two'), key: 'one' }), 'features[1].key'],
    ['a feature twice', { ...document, features: [...document.features, document.features[0]] }, 'features[3]._id'],
    ['no features', { ...document, features: undefined }, 'features'],
    ['null', null, '']
  ])('is rejected if malformed, and the previous state remains usable: %s', (_, malformed, path) => {
    const before = recompile(document, undefined)
    expect(() => recompile(malformed as Config, before)).toThrow(expect.objectContaining({ name: 'ConfigError', path }))
    expect(Object.keys(recompile(withFeature(document, featureFor('one', [])), before).variables(ada))).toEqual(
      keys.slice(1)
    )
  })

  it('does not keep previous states in memory', () => {
    setFlagsFromString('--expose-gc')
    const collect: () => void = runInNewContext('gc')
    const ids = (state: number) => Array.from({ length: 5_000 }, (_, index) => `a user id of state ${state}: ${index}`)
    let evaluator = recompile(document, undefined)
    const edit = (state: number) => {
      evaluator = recompile(withFeature(document, featureFor('one', ids(state))), evaluator)
    }
    for (let state = 0; state < 5; state++) edit(state)
    collect()
    const before = process.memoryUsage().heapUsed
    for (let state = 0; state < 60; state++) edit(state)
    collect()
    // Each state takes more than 0.5 MB.
    expect(process.memoryUsage().heapUsed - before).toBeLessThan(6_000_000)
    expect(evaluator.variable({ user_id: 'a user id of state 59: 0' }, 'one')?.value).toBe('a')
  })
})

function unexpected(): never {
  throw new Error('an unchanged object was read again')
}

/** An evaluator of a feature that serves the users whose e-mail address contains one of the values. */
function evaluatorOf(values: readonly string[], comparator: 'contain' | '!contain' = 'contain', copies = 1) {
  const filter = { type: 'user', subType: 'email', comparator, values }
  const ids = Array.from({ length: copies }, (_, index) => `audience ${index}`)
  const filters: Operator = {
    operator: 'or',
    filters: [{ type: 'audienceMatch', comparator: '=', _audiences: ids }]
  }
  return recompile(
    configWith({
      features: [featureWith({ targets: [targetWith({ filters })], variations: [variationWith('a', 'variable')] })],
      audiences: Object.fromEntries(ids.map((id) => [id, { filters: { operator: 'or', filters: [filter] } }]))
    }),
    undefined
  )
}

const isServed = (evaluator: ReturnType<typeof evaluatorOf>, email: string) =>
  evaluator.variable({ user_id: 'ada', email }, 'variable', { now: 0 }) !== undefined

describe('contain with many values, in a recompiled config', () => {
  const text = (length: number) =>
    fc.string({ unit: fc.constantFrom('a', 'b', 'é', '\ud83d', '\ude00'), ...{ maxLength: length } })

  it('matches as String.includes does', () => {
    fc.assert(
      fc.property(text(400), fc.array(text(6), { maxLength: 300 }), (email, values) => {
        const first = values.find((value) => email.includes(value))
        expect(isServed(evaluatorOf(values), email)).toBe(Boolean(first))
        expect(isServed(evaluatorOf(values, '!contain'), email)).toBe(values.length > 0 && !first)
      })
    )
  })

  it('finds each part of a text and nothing else', () => {
    const email = `${'abcab'.repeat(20)}${'é'.repeat(30)}x`
    const parts = Array.from(email, (_, at) => email.slice(at, at + 12))
    const absent = Array.from({ length: 100 }, (_, index) => `${'abcab'.repeat(3)}${index}`)
    for (const part of parts) expect(isServed(evaluatorOf([...absent, part]), email)).toBe(true)
    expect(isServed(evaluatorOf(absent), email)).toBe(false)
  })

  it('ends soon for values that share parts with the text', () => {
    const a = 'a'.repeat(14)
    const values = Array.from({ length: 8_500 }, (_, index) => `${a}${String.fromCharCode(0x100 + index)}${a}`)
    const evaluator = evaluatorOf(values, 'contain', 12)
    const before = process.cpuUsage()
    expect(isServed(evaluator, 'a'.repeat(16_384))).toBe(false)
    // A search in the text for each value takes more than ten seconds.
    expect(process.cpuUsage(before).user).toBeLessThan(6_000_000)
  })
})
