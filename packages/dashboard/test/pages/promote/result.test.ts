import { describe, expect, it } from 'vitest'
import { revertibleChanges, summarizeResult } from '../../../src/pages/promote/result.ts'

const item = (feature: string, outcome: 'applied' | 'changeRequest' | 'refused' | 'unchanged', revision = '1') => ({
  feature,
  outcome,
  to: { project: 'shop', environment: 'production' },
  revision
})

it('the result of a promotion counts its outcomes', () => {
  const items = [item('a', 'applied'), item('b', 'applied'), item('c', 'changeRequest'), item('d', 'unchanged')]
  expect(summarizeResult(items)).toBe('2 promoted, 1 waiting for approval, 1 without a difference')
  expect(summarizeResult([item('a', 'refused')])).toBe('1 refused')
})

describe('the undo of a promotion', () => {
  it('reverts the first change of each promoted feature, which takes back its later ones', () => {
    const items = [item('a', 'applied', '1'), item('a', 'applied', '2'), item('b', 'applied', '3')]
    expect(revertibleChanges(items)).toEqual([
      { params: { project: 'shop', feature: 'a' }, entry: '1' },
      { params: { project: 'shop', feature: 'b' }, entry: '3' }
    ])
  })

  it('tells features of two projects apart', () => {
    const there = { ...item('a', 'applied', '2'), to: { project: 'outlet', environment: 'production' } }
    expect(revertibleChanges([item('a', 'applied', '1'), there])).toEqual([
      { params: { project: 'shop', feature: 'a' }, entry: '1' },
      { params: { project: 'outlet', feature: 'a' }, entry: '2' }
    ])
  })

  it('leaves out what changed nothing', () => {
    const items = [item('a', 'changeRequest'), item('b', 'refused'), item('c', 'unchanged')]
    expect(revertibleChanges(items)).toEqual([])
  })
})
