import { expect, test } from 'vitest'
import { describeChange } from '../../../src/components/diff/describeChange.ts'

test('an emergency is described by its reason, not by the members of its request', () => {
  const newContents = { changeRequest: '65f1b2c3d4e5f60718293a4b', operation: 'featureUpdate', reason: 'Orders fail' }
  const change = { type: 'appliedInEmergency', newContents, previousContents: null } as const
  expect(describeChange(change, {} as never)).toEqual([
    {
      id: 'appliedInEmergency',
      title: 'Applied in an emergency',
      mark: 'changed',
      note: 'The change request was applied before it was approved.',
      rows: [{ kind: 'value', label: 'Reason', after: 'Orders fail' }]
    }
  ])
})
