import type { Environment, Feature } from '@burgee/contract/schemas'
import { describe, expect, test } from 'vitest'
import {
  affectedEnvironments,
  describeMatrixChanges,
  isServedInProtected,
  type Matrix,
  withoutRow,
  withRowMoved,
  withValue
} from '../../../src/pages/variations/matrix.ts'

const matrix: Matrix = {
  control: '1',
  variations: [
    { _id: '1', key: 'off', name: 'Off', variables: { color: 'blue' } },
    { _id: '2', key: 'on', name: 'On', variables: { color: 'green' } }
  ]
}

describe('matrix', () => {
  test('describes a changed value with both values', () => {
    expect(describeMatrixChanges(matrix, withValue(matrix, '2', 'color', 'red'))).toEqual([
      { id: '2:color', title: 'On · color', before: 'green', after: 'red' }
    ])
  })

  test('makes the first variation the control when the control is removed', () => {
    const without = withoutRow(matrix, '1')
    expect(without.control).toBe('2')
    expect(describeMatrixChanges(matrix, without).map(({ id }) => id)).toEqual(['removed:1', 'control'])
  })

  test('moves a variation within the list only', () => {
    expect(withRowMoved(matrix, '2', -1).variations.map(({ key }) => key)).toEqual(['on', 'off'])
    expect(withRowMoved(matrix, '2', 1)).toBe(matrix)
    expect(describeMatrixChanges(matrix, withRowMoved(matrix, '2', -1))).toHaveLength(1)
  })

  test('names protected environments that serve a changed variation only', () => {
    const environments = [
      { _id: 'p', type: 'production' },
      { _id: 'd', type: 'development' }
    ] as Environment[]
    const configurations = ['p', 'd'].map((_environment) => ({
      _environment,
      status: 'active',
      targets: [{ _id: 't', name: 'All', distribution: [{ _variation: '2', percentage: 1 }] }]
    }))
    const feature = { configurations } as unknown as Feature
    const affected = (row: string) =>
      affectedEnvironments(feature, { base: matrix, draft: withValue(matrix, row, 'color', 'x') }, environments)
    expect(affected('2').map(({ _id }) => _id)).toEqual(['p'])
    expect(affected('1')).toEqual([])
  })

  test('is served in protected environments where it is on, and where OFREP answers with its off value', () => {
    const isServed = (type: string, status: string, { settings = {}, isVisible = true } = {}) =>
      isServedInProtected(
        {
          configurations: [{ _environment: 'e', status, targets: [] }],
          variables: [{ key: 'color' }],
          variations: matrix.variations,
          sdkVisibility: { client: isVisible }
        } as unknown as Feature,
        [{ _id: 'e', type, settings }] as unknown as Environment[]
      )
    expect(isServed('production', 'active')).toBe(true)
    expect(isServed('production', 'inactive')).toBe(false)
    expect(isServed('development', 'active')).toBe(false)
    const settings = { ofrepOffValues: true }
    expect(isServed('production', 'inactive', { settings })).toBe(true)
    expect(isServed('production', 'inactive', { settings, isVisible: false })).toBe(false)
    expect(isServed('development', 'inactive', { settings })).toBe(false)
  })
})
