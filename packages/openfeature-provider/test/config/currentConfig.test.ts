import { type Config, compile } from '@burgee/core'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { CurrentConfig } from '../../src/config/currentConfig.ts'
import { configOf, featureOf, targetOf } from '../support/configs.ts'

const optIn = { operator: 'or', filters: [{ type: 'optIn' }, { operator: 'and', filters: [{ type: 'all' }] }] }
const inAudience = {
  operator: 'and',
  filters: [{ type: 'audienceMatch', comparator: '=', _audiences: ['one', 'two'] }]
}
const rollout = { type: 'schedule', startDate: '2026-01-01T00:00:00Z' }
const good: Config = configOf(
  { color: 'red', size: 1 },
  {
    features: [featureOf('rich', { color: 'blue' }, [targetOf('a', optIn), targetOf('b', inAudience, { rollout })])],
    audiences: { one: { filters: inAudience }, two: { filters: optIn } },
    offValues: { color: { variant: 'off', value: 'grey' } }
  }
)

/** Returns the path of every value in a document. */
function placesIn(value: unknown, path: readonly string[] = []): (readonly string[])[] {
  if (typeof value !== 'object' || value === null) return [path]
  return [path, ...Object.entries(value).flatMap(([member, inner]) => placesIn(inner, [...path, member]))]
}

function replace(value: unknown, [member, ...path]: readonly string[], by: unknown): unknown {
  if (member === undefined) return by
  const copy = structuredClone(value) as Record<string, unknown>
  copy[member] = replace(copy[member], path, by)
  return copy
}

const anything = fc.oneof(fc.jsonValue(), fc.constantFrom<unknown>(undefined, null, [], {}, '', 0, [null], [[]]))
const damaged = fc.tuple(fc.constantFrom(...placesIn(good)), anything).map(([path, by]) => replace(good, path, by))

/** Whether the compiler accepts a document. */
function isConfig(document: unknown): boolean {
  try {
    compile(document as Config)
    return true
  } catch {
    return false
  }
}

test.each([
  ['any JSON', anything],
  ['a config with anything somewhere in it', damaged]
])('%s is rejected without affecting evaluations, or used', (_, documents) => {
  fc.assert(
    fc.property(fc.array(documents, { minLength: 1, maxLength: 4 }), (deliveries) => {
      const current = new CurrentConfig()
      current.apply({ config: good })
      for (const config of deliveries) {
        const before = current.evaluator
        const result = current.apply({ config })
        if (result.type === 'applied') {
          const user = { user_id: 'ada', customData: {} }
          for (const key of result.flagsChanged) expect(current.evaluator?.resolve(user, key)).toHaveProperty('status')
        } else {
          expect(result.type).toBe('malformed')
          expect(isConfig(config)).toBe(false)
          expect(current.evaluator).toBe(before)
        }
      }
      expect(current.apply({ config: good }).type).toBe('applied')
      expect(current.evaluator?.variable({ user_id: 'ada' }, 'size')?.value).toBe(1)
    }),
    { numRuns: 500 }
  )
})

test.each([
  ['the same ETag', { etag: '"1"', lastModified: 1_000 }, 'unchanged'],
  ['an older date', { etag: '"0"', lastModified: 0 }, 'older'],
  ['the same date', { etag: '"2"', lastModified: 1_000 }, 'applied'],
  ['a newer date', { etag: '"2"', lastModified: 2_000 }, 'applied'],
  ['no date', { etag: '"2"' }, 'applied'],
  ['neither', {}, 'applied']
])('an update with %s has the expected result', (_, version, expected) => {
  const current = new CurrentConfig()
  current.apply({ config: good, etag: '"1"', lastModified: 1_000 })
  expect(current.apply({ ...version, config: configOf({ color: 'green' }) }).type).toBe(expected)
})

test('an older date of another environment is not an older version', () => {
  const current = new CurrentConfig()
  current.apply({ config: good, lastModified: 1_000 })
  const other = { ...good, environment: { _id: 'staging', key: 'staging' } }
  expect(current.apply({ config: other, lastModified: 1 }).type).toBe('applied')
})
