import { TargetOperator } from '@burgee/contract/schemas'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { type Condition, newCondition, withValues } from '../../src/rules/conditions.ts'
import { reduceTree, type TreeAction, treeRefusal } from '../../src/rules/editTree.ts'
import {
  emptyGroups,
  everybodyTree,
  type FilterTree,
  findNode,
  levelOf,
  nodeAtPath,
  toOperator
} from '../../src/rules/tree.ts'

const country = (...values: string[]): Condition =>
  withValues(newCondition({ kind: 'user', subType: 'country' }), values)

const key = fc.integer({ min: 0, max: 30 }).map(String)

const condition = fc.constantFrom(country('CA'), country('US', 'FR'), newCondition({ kind: 'optIn' }))

const action: fc.Arbitrary<TreeAction> = fc.oneof(
  fc.record({ type: fc.constant('addCondition' as const), group: key, condition, index: fc.nat(5) }),
  fc.record({ type: fc.constant('addGroup' as const), group: key, condition }),
  fc.record({ type: fc.constant('replaceCondition' as const), key, condition }),
  fc.record({ type: fc.constant('setOperator' as const), group: key, operator: fc.constantFrom('and', 'or') }),
  fc.record({ type: fc.constant('move' as const), key, group: key, index: fc.nat(5) }),
  fc.record({ type: fc.constantFrom('remove' as const, 'putIntoGroup' as const, 'ungroup' as const), key })
)

const keysOf = (tree: FilterTree): string[] => {
  const keys: string[] = []
  const visit = (node: FilterTree['root'] | FilterTree['root']['members'][number]): void => {
    keys.push(node.key)
    if (node.kind === 'group') node.members.forEach(visit)
  }
  visit(tree.root)
  return keys
}

describe('a tree of filters', () => {
  test('is accepted by the schema after any changes, or has issues at nodes that exist', () => {
    fc.assert(
      fc.property(fc.array(action, { maxLength: 40 }), (actions) => {
        const tree = actions.reduce(reduceTree, everybodyTree())
        const { error } = TargetOperator.safeParse(toOperator(tree))
        const keys = keysOf(tree)
        expect(new Set(keys).size).toBe(keys.length)
        expect(error === undefined).toBe(emptyGroups(tree).length === 0)
        const nodes = (error?.issues ?? []).map(({ path }) => nodeAtPath(tree, path))
        expect(nodes.every(({ node, path }) => keys.includes(node) && path[0] === 'filters')).toBe(true)
      })
    )
  })

  test('changes nothing exactly when there is a reason', () => {
    fc.assert(
      fc.property(fc.array(action, { maxLength: 20 }), action, (actions, last) => {
        const tree = actions.reduce(reduceTree, everybodyTree())
        if (treeRefusal(tree, last) !== undefined) expect(reduceTree(tree, last)).toBe(tree)
      })
    )
  })

  test('puts into groups up to 8 deep', () => {
    let tree = everybodyTree()
    for (let depth = 1; depth < 8; depth += 1) tree = reduceTree(tree, { type: 'putIntoGroup', key: '2' })
    expect(levelOf(tree, '2')).toBe(8)
    expect(treeRefusal(tree, { type: 'putIntoGroup', key: '2' })).toBe('groups nest at most 8 deep')
    expect(TargetOperator.safeParse(toOperator(tree)).success).toBe(true)
  })

  test('ungroups only where the same users match afterwards', () => {
    let tree = reduceTree(everybodyTree(), { type: 'addGroup', group: '1', condition: country('CA') })
    tree = reduceTree(tree, { type: 'addCondition', group: '3', condition: country('US') })
    const ungroup = { type: 'ungroup', key: '3' } as const
    expect(treeRefusal(tree, ungroup)).toBe('the group around it is “all of”: ungrouping would change who matches')
    tree = reduceTree(reduceTree(tree, { type: 'setOperator', group: '3', operator: 'and' }), ungroup)
    expect(toOperator(tree).filters).toEqual([{ type: 'all' }, country('CA').filter, country('US').filter])
  })

  test('moves a node with its key, but not a group into itself', () => {
    let tree = reduceTree(everybodyTree(), { type: 'addGroup', group: '1', condition: country('CA') })
    expect(treeRefusal(tree, { type: 'move', key: '3', group: '3', index: 0 })).toBe('a group cannot move into itself')
    tree = reduceTree(tree, { type: 'move', key: '2', group: '3', index: 0 })
    expect(findNode(tree, '3')).toMatchObject({ members: [{ key: '2' }, { key: '4' }] })
  })
})
