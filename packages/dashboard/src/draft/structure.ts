/** A path in a resource. Items of a list with ids are addressed by their id, others by their index. */
export type Path = readonly (string | number)[]

/** How lists and objects of the API are compared. */
export type Shape =
  /** Compared as a whole: its members depend on each other. */
  | 'whole'
  /** A list of texts or numbers whose order means nothing. */
  | 'set'
  /** A list of objects with an id each, whose order counts. */
  | 'records'
  | 'list'
  | 'object'

/** The shares of a split add up to 1, and the stages of a rollout are in order: half of each would be neither. */
const wholes: ReadonlySet<string | number> = new Set(['distribution', 'rollout', 'schema', 'validationSchema'])
const sets: ReadonlySet<string | number> = new Set(['values', '_audiences', 'tags'])

/** Returns the shape that the values at a path have in common. Absent values fit any shape. */
export function shapeOf(path: Path, values: readonly unknown[]): Shape {
  const present = values.filter((value) => value !== undefined)
  const name = path.at(-1) ?? ''
  if (isVariableValue(path, present)) return 'whole'
  if (present.every(Array.isArray)) {
    if (wholes.has(name)) return 'whole'
    const items = present.flat() as readonly unknown[]
    if (sets.has(name) && items.every(isScalar)) return 'set'
    return present.every(hasUniqueIds) && items.some((item) => idOf(item) !== undefined) ? 'records' : 'list'
  }
  return present.every(isObject) && !wholes.has(name) ? 'object' : 'whole'
}

/** Returns whether two JSON values are equal. An absent member equals an undefined one. */
export function isSame(one: unknown, other: unknown): boolean {
  if (Object.is(one, other)) return true
  if (Array.isArray(one) && Array.isArray(other)) {
    return one.length === other.length && one.every((item, index) => isSame(item, other[index]))
  }
  if (!isObject(one) || !isObject(other)) return false
  return memberNames(one, other).every((name) => isSame(memberOf(one, name), memberOf(other, name)))
}

/** Returns the names of the members of some objects, in their order, each once. */
export function memberNames(...objects: readonly unknown[]): readonly string[] {
  return [...new Set(objects.flatMap((object) => (isObject(object) ? Object.keys(object) : [])))]
}

/** Returns the member of an object, or undefined where the value has none of its own. */
export function memberOf(value: unknown, name: string): unknown {
  return isObject(value) && Object.hasOwn(value, name) ? value[name] : undefined
}

/** Returns the id of an item of a list, or undefined. */
export function idOf(item: unknown): string | undefined {
  const id = memberOf(item, '_id')
  return typeof id === 'string' ? id : undefined
}

/** Returns the value at a path of a resource, or undefined. */
export function valueAt(value: unknown, path: Path): unknown {
  return path.reduce<unknown>((at, segment) => {
    if (!Array.isArray(at)) return memberOf(at, String(segment))
    return typeof segment === 'number' ? at[segment] : at.find((item) => idOf(item) === segment)
  }, value)
}

/** Returns whether a JSON value is an object. */
export function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function isScalar(value: unknown): boolean {
  return typeof value !== 'object' || value === null
}

/** True for a list of objects whose ids differ. New items have none yet. */
function hasUniqueIds(items: readonly unknown[]): boolean {
  const ids = items.flatMap((item) => idOf(item) ?? [])
  return items.every(isObject) && new Set(ids).size === ids.length
}

/** True for the value of a variable in a variation: any JSON, whose members mean nothing here. */
function isVariableValue(path: Path, values: readonly unknown[]): boolean {
  return path.at(-2) === 'variables' && values.some((value) => idOf(value) === undefined)
}
