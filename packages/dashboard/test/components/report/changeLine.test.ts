import { expect, it } from 'vitest'
import { changeLine } from '../../../src/components/report/changeLine.ts'

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
