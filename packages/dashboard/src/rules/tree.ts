import { MAX_OPERATOR_DEPTH, MAX_OPERATOR_FILTERS } from '@burgee/contract/schemas'
import type { Filter, Operator } from '@burgee/core'
import { type Condition, newCondition } from './conditions.ts'

/** A condition in the tree. `key` identifies it while the form is open, and is not part of the API. */
export interface ConditionNode extends Condition {
  readonly kind: 'condition'
  readonly key: string
}

/** A group: "all of" (`and`) or "any of" (`or`) its members. */
export interface GroupNode {
  readonly kind: 'group'
  readonly key: string
  readonly operator: 'and' | 'or'
  readonly members: readonly TreeNode[]
}

export type TreeNode = ConditionNode | GroupNode

/** The filters of a target or an audience in the form. */
export interface FilterTree {
  readonly root: GroupNode
  readonly nextKey: number
}

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

/** Creates the tree of filters of the API. */
export function toTree(filters: Operator): FilterTree {
  let nextKey = 1
  const group = ({ operator, filters: members = [] }: Operator): GroupNode => ({
    kind: 'group',
    key: String(nextKey++),
    // Evaluation takes any operator but `or` for `and`.
    operator: operator === 'or' ? 'or' : 'and',
    members: members.map((member) =>
      'operator' in member ? group(member) : { kind: 'condition', key: String(nextKey++), filter: member }
    )
  })
  const root = group(filters)
  return { root, nextKey }
}

/** Creates a tree with the condition "everybody". */
export function everybodyTree(): FilterTree {
  return toTree({ operator: 'and', filters: [newCondition({ kind: 'all' }).filter] })
}

/** Returns the filters for the API. */
export function toOperator({ root }: FilterTree): Operator {
  return operatorOf(root)
}

/** Returns why a change is not possible, as a sentence for the disabled control, or undefined if it is. */
export function treeRefusal(tree: FilterTree, action: TreeAction): string | undefined {
  switch (action.type) {
    case 'addCondition':
      return refusalOfAdding(tree, action.group, 0)
    case 'addGroup':
      return refusalOfAdding(tree, action.group, 1)
    case 'replaceCondition':
      return findNode(tree, action.key)?.kind === 'condition' ? undefined : 'the condition does not exist any more'
    case 'setOperator':
      return findNode(tree, action.group)?.kind === 'group' ? undefined : 'the group does not exist any more'
    case 'remove':
      if (action.key === tree.root.key) return 'the outermost group stays'
      return findNode(tree, action.key) ? undefined : 'the condition does not exist any more'
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

/** Returns the node with a key, or undefined. */
export function findNode({ root }: FilterTree, key: string): TreeNode | undefined {
  return find(root, key)
}

/** Returns the group that contains a node, or undefined for the root. */
export function parentOf({ root }: FilterTree, key: string): GroupNode | undefined {
  return groupsTo(root, key)?.at(-1)
}

/** Returns the number of groups around and including a node: 1 for the root and its conditions, 0 for an unknown key. */
export function levelOf({ root }: FilterTree, key: string): number {
  if (key === root.key) return 1
  const groups = groupsTo(root, key)
  if (!groups) return 0
  return groups.length + (find(root, key)?.kind === 'group' ? 1 : 0)
}

/**
 * Returns the node that a path of an issue addresses, as in `['filters', 0, 'values', 2]`, and the rest of the path within
 * it.
 */
export function nodeAtPath({ root }: FilterTree, path: readonly PropertyKey[]): TreeLocation {
  const [member, index, ...rest] = path
  const child = member === 'filters' && typeof index === 'number' ? root.members[index] : undefined
  if (!child) return { node: root.key, path }
  return child.kind === 'group' ? nodeAtPath({ root: child, nextKey: 0 }, rest) : { node: child.key, path: rest }
}

/** Where an issue is: the key of the node, and the path of the member within its filter or operator. */
export interface TreeLocation {
  readonly node: string
  readonly path: readonly PropertyKey[]
}

/** Returns the conditions of the tree with the groups they are in, in the order of the form. */
export function conditionsOf({ root }: FilterTree): readonly { node: ConditionNode; group: GroupNode }[] {
  return root.members.flatMap((node) =>
    node.kind === 'group' ? conditionsOf({ root: node, nextKey: 0 }) : [{ node, group: root }]
  )
}

/** Returns the keys of groups without members. */
export function emptyGroups({ root }: FilterTree): readonly string[] {
  if (root.members.length === 0) return [root.key]
  return root.members.flatMap((node) => (node.kind === 'group' ? emptyGroups({ root: node, nextKey: 0 }) : []))
}

function operatorOf({ operator, members }: GroupNode): Operator {
  const filters = members.map((node): Filter | Operator => (node.kind === 'group' ? operatorOf(node) : node.filter))
  return { operator, filters }
}

function refusalOfAdding(tree: FilterTree, groupKey: string, height: number): string | undefined {
  const group = findNode(tree, groupKey)
  if (group?.kind !== 'group') return 'the group does not exist any more'
  if (group.members.length >= MAX_OPERATOR_FILTERS) {
    return `a group has at most ${MAX_OPERATOR_FILTERS.toLocaleString('en')} conditions`
  }
  return levelOf(tree, groupKey) + height > MAX_OPERATOR_DEPTH ? tooDeep : undefined
}

function refusalOfMoving(tree: FilterTree, { key, group }: TreeAction & { type: 'move' }): string | undefined {
  const node = findNode(tree, key)
  if (!node || node === tree.root) return node ? 'the outermost group stays' : 'the condition does not exist any more'
  if (find(node, group)) return 'a group cannot move into itself'
  if (parentOf(tree, key)?.key === group) return undefined
  return refusalOfAdding(tree, group, heightOf(node))
}

function refusalOfGrouping(tree: FilterTree, key: string): string | undefined {
  const node = findNode(tree, key)
  if (!node || node === tree.root) return node ? 'the outermost group stays' : 'the condition does not exist any more'
  const level = parentOf(tree, key) ? (groupsTo(tree.root, key)?.length ?? 0) : 0
  return level + 1 + heightOf(node) > MAX_OPERATOR_DEPTH ? tooDeep : undefined
}

function refusalOfUngrouping(tree: FilterTree, key: string): string | undefined {
  const node = findNode(tree, key)
  const parent = parentOf(tree, key)
  if (node?.kind !== 'group') return 'the group does not exist any more'
  if (!parent) return 'the outermost group stays'
  // A group of one member means the same under either operator.
  if (node.operator !== parent.operator && node.members.length > 1) {
    return `the group around it is “${parent.operator === 'or' ? 'any of' : 'all of'}”: ungrouping would change who matches`
  }
  // Removing an empty group, which matches nobody, would change who matches.
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

function find(node: TreeNode, key: string): TreeNode | undefined {
  if (node.key === key) return node
  if (node.kind === 'condition') return undefined
  for (const member of node.members) {
    const found = find(member, key)
    if (found) return found
  }
  return undefined
}

/** The groups around a node, from the outermost. */
function groupsTo(group: GroupNode, key: string): readonly GroupNode[] | undefined {
  if (group.members.some((member) => member.key === key)) return [group]
  for (const member of group.members) {
    const inner = member.kind === 'group' ? groupsTo(member, key) : undefined
    if (inner) return [group, ...inner]
  }
  return undefined
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
