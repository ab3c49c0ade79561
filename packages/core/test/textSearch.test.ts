import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { type Operator, recompile } from '../src/index.ts'
import { configWith, featureWith, targetWith, variationWith } from './configs.ts'

const options = { now: 0 }

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
  evaluator.variable({ user_id: 'ada', email }, 'variable', options) !== undefined

describe('contain, with many values and a long text', () => {
  const text = (length: number) =>
    fc.string({ unit: fc.constantFrom('a', 'b', 'é', '\ud83d', '\ude00'), ...{ maxLength: length } })

  test('matches as String.includes does', () => {
    fc.assert(
      fc.property(text(400), fc.array(text(6), { maxLength: 300 }), (email, values) => {
        const first = values.find((value) => email.includes(value))
        expect(isServed(evaluatorOf(values), email)).toBe(Boolean(first))
        expect(isServed(evaluatorOf(values, '!contain'), email)).toBe(values.length > 0 && !first)
      })
    )
  })

  test('finds each part of a text and nothing else', () => {
    const email = `${'abcab'.repeat(20)}${'é'.repeat(30)}x`
    const parts = Array.from(email, (_, at) => email.slice(at, at + 12))
    const absent = Array.from({ length: 100 }, (_, index) => `${'abcab'.repeat(3)}${index}`)
    for (const part of parts) expect(isServed(evaluatorOf([...absent, part]), email)).toBe(true)
    expect(isServed(evaluatorOf(absent), email)).toBe(false)
  })

  test('ends soon for values that share parts with the text', () => {
    const a = 'a'.repeat(14)
    const values = Array.from({ length: 8_500 }, (_, index) => `${a}${String.fromCharCode(0x100 + index)}${a}`)
    const evaluator = evaluatorOf(values, 'contain', 12)
    const begun = performance.now()
    expect(isServed(evaluator, 'a'.repeat(16_384))).toBe(false)
    // A search in the text for each value takes more than ten seconds.
    expect(performance.now() - begun).toBeLessThan(3_000)
  })
})
