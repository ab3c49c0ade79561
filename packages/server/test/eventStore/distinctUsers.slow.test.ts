import { describe, expect, it, test } from 'vitest'
import { DistinctUsers } from '../../src/storage/events/engine/distinctUsers.ts'

function setOf(from: number, to: number): DistinctUsers {
  const set = new DistinctUsers()
  for (let user = from; user < to; user++) set.add(`user ${user}`)
  return set
}

describe('a HyperLogLog set of users', () => {
  it('is exact up to 512, even after merging or serialization', () => {
    const set = new DistinctUsers()
    expect(set.size).toBe(0)
    for (let count = 1; count <= 512; count++) {
      set.add(`user ${count - 1}`)
      set.add('user 0')
      expect(set.size).toBe(count)
    }
    const merged = setOf(0, 300)
    merged.merge(DistinctUsers.from(setOf(200, 512).toText()))
    expect(merged.size).toBe(512)
    expect(DistinctUsers.from(merged.toText()).size).toBe(512)
  })

  // The ids are the same in each run, and so are the estimates.
  test.each([513, 1_000, 3_000, 8_000, 12_000, 20_000, 50_000, 200_000])('estimates %i users', (count) => {
    expect(Math.abs(setOf(0, count).size / count - 1)).toBeLessThan(3 * 0.01625)
  })

  it('has the standard error of HyperLogLog: 1.04 / √4096', () => {
    const [sets, size] = [60, 10_000]
    const errors = Array.from({ length: sets }, (_, index) => setOf(index * size, (index + 1) * size).size / size - 1)
    const mean = errors.reduce((sum, error) => sum + error, 0) / sets
    const deviation = Math.sqrt(errors.reduce((sum, error) => sum + error ** 2, 0) / sets)
    expect(Math.abs(mean)).toBeLessThan(0.007)
    expect(deviation).toBeGreaterThan(0.012)
    expect(deviation).toBeLessThan(0.021)
  })

  it('is the same whether merged or built at once', () => {
    const whole = setOf(0, 30_000)
    const parts = [setOf(0, 100), setOf(50, 20_000), setOf(19_000, 29_800), setOf(29_700, 30_000)]
    for (const order of [parts, [...parts].reverse()]) {
      const merged = new DistinctUsers()
      for (const part of order) merged.merge(DistinctUsers.from(part.toText()))
      expect(merged.size).toBe(whole.size)
      expect(merged.toText()).toBe(whole.toText())
    }
  })

  it('does not contain user ids', () => {
    const set = new DistinctUsers()
    set.add('ada@example.com')
    expect(Buffer.from(set.toText(), 'base64').toString('latin1')).not.toContain('ada')
    expect(set.toText()).toHaveLength(12)
  })
})
