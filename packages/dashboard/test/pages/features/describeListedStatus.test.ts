import type { StatusInEnvironment } from '@burgee/contract/schemas'
import { expect, it } from 'vitest'
import { describeListedStatus } from '../../../src/pages/features/describeListedStatus.ts'

it.each<[StatusInEnvironment, string]>([
  [{ status: 'on', variations: ['b'], variationName: 'B' }, 'on'],
  [{ status: 'split', variations: ['a', 'b'] }, 'on, 2 variations'],
  [{ status: 'partly', share: 0.2, trend: 'rising', isFiltered: false }, '20% rising'],
  [
    { status: 'partly', share: 0.2, trend: 'rising', changesAt: '2026-03-01T12:00:00Z', isFiltered: true },
    '20%, changes on 1 Mar'
  ],
  [{ status: 'partly', share: 0.9996, trend: 'steady', isFiltered: false }, '99.96%'],
  [{ status: 'partly', share: 0, trend: 'steady', isFiltered: false }, 'on, no users'],
  [{ status: 'partly', trend: 'falling', isFiltered: true }, 'some users, falling'],
  [{ status: 'off' }, 'off']
])('%o is said as %s', (status, words) => {
  expect(describeListedStatus(status).words).toBe(words)
})
