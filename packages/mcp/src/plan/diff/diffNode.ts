/** Data as a tree that can be compared with another. */
export type DiffNode = ValueNode | ObjectNode | ListNode

/** Compared as a whole. */
interface ValueNode {
  readonly type: 'value'
  readonly value: unknown
  /** The value in words; as JSON if absent. */
  readonly text?: string
}

/** Compared member by member. */
export interface ObjectNode {
  readonly type: 'object'
  readonly members: Readonly<Record<string, DiffNode | undefined>>
  /** The members are environments by key. */
  readonly isByEnvironment?: true
}

/** Compared item by item. Items are identified by id, regardless of their position. */
interface ListNode {
  readonly type: 'list'
  readonly items: readonly ListItem[]
}

export interface ListItem {
  /** Identifies the item in both lists. */
  readonly id: string
  /** The display name. */
  readonly name: string
  /** The path segment that is appended to the path of the list, for example `.variation-on` or `[0] "All users"`. */
  readonly segment: string
  /** The same in words, for example `target 1 "All users"`. */
  readonly label: string
  readonly node: DiffNode
}

/** Creates a node for a value; `undefined` has none. */
export function valueNode(value: unknown, text?: string): ValueNode | undefined {
  return value === undefined ? undefined : { type: 'value', value, ...(text === undefined ? {} : { text }) }
}

/** Creates an object node whose members are values. */
export function valuesNode(object: object | undefined): ObjectNode | undefined {
  if (!object) return undefined
  return objectNode(Object.fromEntries(Object.entries(object).map(([name, value]) => [name, valueNode(value)])))
}

export function objectNode(members: ObjectNode['members']): ObjectNode {
  return { type: 'object', members }
}

export function listNode(items: readonly ListItem[]): ListNode {
  return { type: 'list', items }
}
