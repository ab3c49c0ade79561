import { expect, test } from 'vitest'
import { createFindCaller } from '../../src/api/http/fast/findCaller.ts'
import type { KeyConfig } from '../../src/delivery/configs/keyConfig.ts'

test('headers with known keys are cached, unless they are long', () => {
  const caller = { sdkKey: 'key' } as KeyConfig
  let lookUps = 0
  const current = (key: string) => {
    lookUps++
    return key === 'key' ? caller : undefined
  }
  const find = createFindCaller({ current, version: () => 1 })
  const lookUpsOf = (authorization: string) => {
    const before = lookUps
    expect([find(authorization, ''), find(authorization, '')]).toEqual([caller, caller])
    return lookUps - before
  }
  expect(lookUpsOf('Bearer key')).toBe(1)
  expect(lookUpsOf(`Bearer ${' '.repeat(16_000)}key`)).toBe(2)
})
