import { describe, expect, test } from 'vitest'
import { describeStatus } from '../../../src/components/feature/describeStatus.ts'

describe('describeStatus', () => {
  test('rounds a share', () => {
    expect(describeStatus({ status: 'partly', share: 0.3756, trend: 'rising', isFiltered: false })).toBe('38% rising')
  })

  test('says when a share changes at once', () => {
    const status = { status: 'partly', share: 0.2, trend: 'rising', isFiltered: false } as const
    expect(describeStatus({ ...status, changesAt: Date.UTC(2026, 2, 1) })).toBe('20%, changes on 1 Mar')
  })

  test('says that a share refers to the users who match', () => {
    const status = { status: 'partly', share: 1, trend: 'steady', isFiltered: true } as const
    expect(describeStatus(status)).toBe('100% of matching users')
  })
})
