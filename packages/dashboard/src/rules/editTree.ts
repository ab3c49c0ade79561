import { MAX_OPERATOR_DEPTH, MAX_OPERATOR_FILTERS } from '@burgee/contract/schemas'
import type { Condition } from './conditions.ts'
import {
  type ConditionNode,
  type FilterTree,
  findNode,
  findWithin,
  type GroupNode,
  groupsTo,
  levelOf,
  parentOf,
  type TreeNode
} from './tree.ts'

/** A change of the tree. Keys are those of nodes. */
export type TreeAction =
  | { readonly type: 'addCondition'; readonly group: string; readonly condition: Condition; readonly index?: number }
  /** Adds a group with one condition, since an empty group cannot be saved. */
  | { readonly type: 'addGroup'; readonly group: string; readonly condition: Condition }
  | { readonly type: 'replaceCondition'; readonly key: string; readonly condition: Condition }
  | { readonly type: 'setOperator'; readonly group: string; readonly operator: 'and' | 'or' }
  | { readonly type: 'remove'; readonly key: string }
  /** Moves a node into a group, to an index among its other members. */
  | { readonly type: 'move'; readonly key: string; readonly group: string; readonly index: number }
  | { readonly type: 'putIntoGroup'; readonly key: string }
  | { readonly type: 'ungroup'; readonly key: string }

/** Returns why a change is not possible, as a sentence for the disabled control, or undefined if it is. */
export function treeRefusal(tree: FilterTree, action: TreeAction): string | undefined {
  switch (action.type) {
    case 'addCondition':
      return refusalOfAdding(tree, action.group, 0)
    case 'addGroup':
      return refusalOfAdding(tree, action.group, 1)
    case 'replaceCondition':
      return findNode(tree, action.key)?.kind === 'condition' ? undefined : 'the condition no longer exists'
    case 'setOperator':
      return findNode(tree, action.group)?.kind === 'group' ? undefined : 'the group no longer exists'
    case 'remove':
      if (action.key === tree.root.key) return 'the outermost group cannot be removed'
      return findNode(tree, action.key) ? undefined : 'the condition no longer exists'
    case 'move':
      return refusalOfMoving(tree, action)
    case 'putIntoGroup':
      return refusalOfGrouping(tree, action.key)
    case 'ungroup':
      return refusalOfUngrouping(tree, action.key)
  }
}

/** Returns the tree after a change. Returns the same tree if `treeRefusal` has a reason against it. */
export function reduceTree(tree: FilterTree, action: TreeAction): FilterTree {
  if (treeRefusal(tree, action) !== undefined) return tree
  const key = String(tree.nextKey)
  switch (action.type) {
    case 'addCondition': {
      const node = toNode(key, action.condition)
      const root = mapGroup(tree.root, action.group, (group) => ({
        ...group,
        members: insert(group.members, node, action.index ?? group.members.length)
      }))
      return { root, nextKey: tree.nextKey + 1 }
    }
    case 'addGroup': {
      const node = toNode(String(tree.nextKey + 1), action.condition)
      const root = mapGroup(tree.root, action.group, (group) => ({
        ...group,
        members: [...group.members, { kind: 'group', key, operator: opposite(group.operator), members: [node] }]
      }))
      return { root, nextKey: tree.nextKey + 2 }
    }
    case 'replaceCondition':
      return { ...tree, root: replaceNode(tree.root, action.key, () => [toNode(action.key, action.condition)]) }
    case 'setOperator':
      return { ...tree, root: mapGroup(tree.root, action.group, (group) => ({ ...group, operator: action.operator })) }
    case 'remove':
      return { ...tree, root: replaceNode(tree.root, action.key, () => []) }
    case 'move': {
      const node = findNode(tree, action.key)
      if (!node) return tree
      const without = replaceNode(tree.root, action.key, () => [])
      const root = mapGroup(without, action.group, (group) => ({
        ...group,
        members: insert(group.members, node, action.index)
      }))
      return { ...tree, root }
    }
    case 'putIntoGroup': {
      const operator = opposite(parentOf(tree, action.key)?.operator ?? 'and')
      const wrap = (node: TreeNode): readonly TreeNode[] => [{ kind: 'group', key, operator, members: [node] }]
      return { root: replaceNode(tree.root, action.key, wrap), nextKey: tree.nextKey + 1 }
    }
    case 'ungroup':
      return {
        ...tree,
        root: replaceNode(tree.root, action.key, (node) => (node.kind === 'group' ? node.members : [node]))
      }
  }
}

function refusalOfAdding(tree: FilterTree, groupKey: string, height: number): string | undefined {
  const group = findNode(tree, groupKey)
  if (group?.kind !== 'group') return 'the group no longer exists'
  if (group.members.length >= MAX_OPERATOR_FILTERS) {
    return `a group has at most ${MAX_OPERATOR_FILTERS.toLocaleString('en')} conditions`
  }
  return levelOf(tree, groupKey) + height > MAX_OPERATOR_DEPTH ? tooDeep : undefined
}

function refusalOfMoving(tree: FilterTree, { key, group }: TreeAction & { type: 'move' }): string | undefined {
  const node = findNode(tree, key)
  if (!node || node === tree.root)
    return node ? 'the outermost group cannot be removed' : 'the condition no longer exists'
  if (findWithin(node, group)) return 'a group cannot move into itself'
  if (parentOf(tree, key)?.key === group) return undefined
  return refusalOfAdding(tree, group, heightOf(node))
}

function refusalOfGrouping(tree: FilterTree, key: string): string | undefined {
  const node = findNode(tree, key)
  if (!node || node === tree.root)
    return node ? 'the outermost group cannot be removed' : 'the condition no longer exists'
  const level = parentOf(tree, key) ? (groupsTo(tree.root, key)?.length ?? 0) : 0
  return level + 1 + heightOf(node) > MAX_OPERATOR_DEPTH ? tooDeep : undefined
}

function refusalOfUngrouping(tree: FilterTree, key: string): string | undefined {
  const node = findNode(tree, key)
  const parent = parentOf(tree, key)
  if (node?.kind !== 'group') return 'the group no longer exists'
  if (!parent) return 'the outermost group cannot be removed'
  // A group of one member means the same under either operator.
  if (node.operator !== parent.operator && node.members.length > 1) {
    return `the group around it is “${parent.operator === 'or' ? 'any of' : 'all of'}”: ungrouping would change who matches`
  }
  // Removing an empty group, which matches no user, would change who matches.
  if (node.members.length === 0) return 'add a condition or remove the group'
  return parent.members.length - 1 + node.members.length > MAX_OPERATOR_FILTERS
    ? `a group has at most ${MAX_OPERATOR_FILTERS.toLocaleString('en')} conditions`
    : undefined
}

const tooDeep = `groups nest at most ${MAX_OPERATOR_DEPTH} deep`

/** The number of levels of groups that a node adds below the group it is in. */
function heightOf(node: TreeNode): number {
  if (node.kind === 'condition') return 0
  return 1 + node.members.reduce((deepest, member) => Math.max(deepest, heightOf(member)), 0)
}

function mapGroup(group: GroupNode, key: string, change: (group: GroupNode) => GroupNode): GroupNode {
  if (group.key === key) return change(group)
  const members = mapped(group.members, (member) => (member.kind === 'group' ? mapGroup(member, key, change) : member))
  return members === group.members ? group : { ...group, members }
}

function replaceNode(group: GroupNode, key: string, replace: (node: TreeNode) => readonly TreeNode[]): GroupNode {
  if (group.members.some((member) => member.key === key)) {
    return { ...group, members: group.members.flatMap((member) => (member.key === key ? replace(member) : [member])) }
  }
  const members = mapped(group.members, (member) =>
    member.kind === 'group' ? replaceNode(member, key, replace) : member
  )
  return members === group.members ? group : { ...group, members }
}

/** Returns the same list if no item changes, so that rows beside a change do not render again. */
function mapped<Item>(items: readonly Item[], change: (item: Item) => Item): readonly Item[] {
  const changed = items.map(change)
  return changed.every((item, index) => item === items[index]) ? items : changed
}

function toNode(key: string, { filter, kept }: Condition): ConditionNode {
  return { kind: 'condition', key, filter, ...(kept ? { kept } : {}) }
}

function insert<Item>(items: readonly Item[], item: Item, index: number): readonly Item[] {
  return items.toSpliced(Math.max(0, Math.min(index, items.length)), 0, item)
}

function opposite(operator: 'and' | 'or'): 'and' | 'or' {
  return operator === 'and' ? 'or' : 'and'
}
