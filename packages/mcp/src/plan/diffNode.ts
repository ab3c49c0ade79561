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

/** Compared item by item: an item keeps its identity when others come and go. */
interface ListNode {
  readonly type: 'list'
  readonly items: readonly ListItem[]
}

export interface ListItem {
  /** Identifies the item in both lists. */
  readonly id: string
  /** The name that people know it by. */
  readonly name: string
  /** What its place adds to that of the list, as in `.variation-on` or `[0] "All users"`. */
  readonly place: string
  /** The same in words, as in `target 1 "All users"`. */
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
