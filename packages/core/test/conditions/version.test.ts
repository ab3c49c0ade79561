import fc from 'fast-check'
import { expect, test } from 'vitest'
import { memoizedVersionParser, versionRule } from '../../src/conditions/version.ts'

// Around the limit up to which a version is one number.
const part = fc.oneof(fc.nat(3), fc.constantFrom(208_062, 208_063, 208_064, 2 ** 40))
const version = fc.array(part, { minLength: 1, maxLength: 5 })

function compareParts(a: readonly number[], b: readonly number[]): number {
  const length = Math.max(a.length, b.length)
  for (let index = 0; index < length; index++) {
    const difference = (a[index] ?? 0) - (b[index] ?? 0)
    if (difference !== 0) return difference
  }
  return 0
}

const comparators: Record<string, (orders: number[]) => boolean> = {
  '>': (orders) => orders.some((order) => order > 0),
  '>=': (orders) => orders.some((order) => order >= 0),
  '<': (orders) => orders.some((order) => order < 0),
  '<=': (orders) => orders.some((order) => order <= 0),
  '!=': (orders) => orders.every((order) => order !== 0),
  // The signs of other comparators count too, as in the reference engine.
  '==': (orders) => orders.includes(0),
  '=>': (orders) => orders.some((order) => order >= 0),
  '<>': (orders) => orders.some((order) => order !== 0),
  contain: () => false
}

test.each(Object.entries(comparators))('compares versions of any size with %s, part by part', (comparator, accepts) => {
  fc.assert(
    fc.property(version, fc.array(version, { minLength: 1, maxLength: 4 }), (own, listed) => {
      // A value that is not a version is skipped, wherever it is.
      const values = ['1.x.2', ...listed.map((parts) => parts.join('.')), '']
      const rule = versionRule(comparator, values, memoizedVersionParser())
      expect(rule(own.join('.'))).toBe(accepts(listed.map((parts) => compareParts(own, parts))))
    }),
    { numRuns: 500 }
  )
})

test('forgets the version of the user before', () => {
  const rule = versionRule('>=', ['2.0.0'], memoizedVersionParser())
  expect(['2.0.0', '1.0.0', 'v2', '1..', '2.1', 'x'].map(rule)).toEqual([true, false, true, false, true, false])
})
