import { expect, test } from 'vitest'
import { describeErasure } from '../../../src/pages/settings/describeErasure.ts'

test('an erasure names what it removed, and that nothing was there', () => {
  const none = { userHash: 'x', edgeData: 0, optIns: 0, otherUsers: 0, overrides: 0, events: 0 }
  expect(describeErasure(none)).toBe('Nothing was stored about this user.')
  expect(describeErasure({ ...none, edgeData: 1, events: 1041 })).toBe(
    'Erased: 1 record of properties and 1,041 events. The server’s files no longer contain the ID.'
  )
})
