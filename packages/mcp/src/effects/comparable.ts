/** A thing in a form in which two of them can be compared, part by part. */
export type Part = Value | Members | Items

/** What differs as a whole or not at all. */
interface Value {
  readonly type: 'value'
  readonly value: unknown
}

/** Parts by name. */
export interface Members {
  readonly type: 'members'
  readonly members: Readonly<Record<string, Part | undefined>>
}

/** Parts in order, each of which stays the one that it is when others come and go. */
interface Items {
  readonly type: 'items'
  readonly items: readonly Item[]
}

/** One of them. */
export interface Item {
  /** What it is known again by. */
  readonly id: string
  /** What people know it by. */
  readonly name: string
  /** How its place continues that of the list, as in `.variation-on` or `[0] "All Users"`. */
  readonly place: string
  readonly part: Part
}

/** A value, unless there is none. */
export function value(value: unknown): Value | undefined {
  return value === undefined ? undefined : { type: 'value', value }
}

/** Values by name, each of which differs by itself; none where there is no such object. */
export function values(object: object | undefined): Members | undefined {
  if (!object) return undefined
  return members(Object.fromEntries(Object.entries(object).map(([name, one]) => [name, value(one)])))
}

/** Parts by name. */
export function members(parts: Members['members']): Members {
  return { type: 'members', members: parts }
}

/** Parts in order. */
export function items(list: readonly Item[]): Items {
  return { type: 'items', items: list }
}
