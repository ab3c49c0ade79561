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

/** Creates a tree with the condition "everyone". */
export function everybodyTree(): FilterTree {
  return toTree({ operator: 'and', filters: [newCondition({ kind: 'all' }).filter] })
}

/** Whether a tree consists of the condition "everyone". */
export function matchesEveryone({ root: { members } }: FilterTree): boolean {
  const [only, ...others] = members
  return others.length === 0 && only?.kind === 'condition' && only.filter.type === 'all'
}

/** Returns the filters for the API. */
export function toOperator({ root }: FilterTree): Operator {
  return operatorOf(root)
}

/** Returns the node with a key, or undefined. */
export function findNode({ root }: FilterTree, key: string): TreeNode | undefined {
  return findWithin(root, key)
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
  return groups.length + (findWithin(root, key)?.kind === 'group' ? 1 : 0)
}

/**
 * Returns the node that a path of an issue addresses, for example `['filters', 0, 'values', 2]`, and the rest of the
 * path within it.
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

/** Returns a node with a key among a node and the nodes below it. */
export function findWithin(node: TreeNode, key: string): TreeNode | undefined {
  if (node.key === key) return node
  if (node.kind === 'condition') return undefined
  for (const member of node.members) {
    const found = findWithin(member, key)
    if (found) return found
  }
  return undefined
}

/** Returns the groups around a node, from the outermost. */
export function groupsTo(group: GroupNode, key: string): readonly GroupNode[] | undefined {
  if (group.members.some((member) => member.key === key)) return [group]
  for (const member of group.members) {
    const inner = member.kind === 'group' ? groupsTo(member, key) : undefined
    if (inner) return [group, ...inner]
  }
  return undefined
}
