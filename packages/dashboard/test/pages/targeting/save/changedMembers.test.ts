import { expect, test } from 'vitest'
import { changedMembers } from '../../../../src/pages/targeting/save/changedMembers.ts'

const target = (percentage: number) => ({
  _id: 'canada',
  name: 'Canada',
  audience: { filters: { operator: 'and' as const, filters: [] } },
  distribution: [{ _variation: 'on', percentage }]
})

test('a request for other targets does not repeat the status, which a kill may change while it waits', () => {
  const before = { status: 'active' as const, targets: [target(0.5)] }
  expect(changedMembers(before, { ...before, targets: [target(0.6)] })).toEqual({ targets: [target(0.6)] })
  expect(changedMembers(before, { status: 'inactive', targets: [target(0.5)] })).toEqual({ status: 'inactive' })
})
