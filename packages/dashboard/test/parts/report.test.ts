import { expect, it } from 'vitest'
import { changeLine } from '../../src/parts/report/changeLine.ts'
import { reportText } from '../../src/parts/report/reportText.ts'

const environments = new Map([['1', 'Production']])

it.each([
  ['addedTarget', { targets: [{ name: 'A' }] }, null, 'adds target “A”'],
  ['removedTarget', null, { targets: [{ name: 'A' }, {}] }, 'removes 2 targets'],
  ['reorderedTargets', { targets: ['1'] }, { targets: ['2'] }, 'reorders the targets'],
  ['enabledEnvironment', { status: 'active' }, { status: 'inactive' }, 'turns it on in Production'],
  ['modifiedFeatureStatus', { status: 'archived' }, { status: 'active' }, 'archives it'],
  ['modifiedFeatureStatus', { status: 'active' }, { status: 'archived' }, 'makes it active'],
  ['modifiedVariable', { variables: [{ status: 'archived' }] }, {}, 'archives its variables'],
  ['modifiedVariable', { variables: [{ name: 'A' }] }, {}, 'Variable changed'],
  ['modifiedFeature', { tags: ['a', 'b'] }, { tags: ['a', 'c'] }, 'adds #b, removes #c'],
  ['modifiedFeature', { name: 'New' }, { name: 'Old' }, 'changes its details']
] as const)('describes the change %s %j', (type, newContents, previousContents, words) => {
  expect(changeLine({ type, newContents, previousContents, _environments: ['1'] } as never, environments)).toBe(words)
})

it('writes a report as a line for each item', () => {
  const word = (text: string) => ({ word: text, tone: 'off' }) as const
  const words = {
    applied: word('changed'),
    changeRequest: word('waits'),
    unchanged: word('unchanged'),
    refused: word('refused'),
    wouldApply: word('will change'),
    wouldRequest: word('will wait')
  }
  const error = { statusCode: 404, message: 'there is no feature "b"', error: 'Not Found' }
  const change = { type: 'disabledEnvironment', newContents: null, previousContents: null, _environments: ['1'] }
  const items = [
    { feature: 'a', outcome: 'applied', changes: [change, change] },
    { feature: 'b', outcome: 'refused', changes: [], error }
  ]
  expect(reportText(items as never, words, environments)).toBe(
    'a\tchanged\tturns it off in Production\nb\trefused\tthere is no feature "b"'
  )
})
