import { isRecord } from '@burgee/kit'
import { formatValue } from '@burgee/kit/text'
import type { Attribute, ScimObject } from './attribute.ts'
import { type Filter, type PatchPath, parsePatchPath } from './filter.ts'
import { matchesFilter } from './matchesFilter.ts'
import { assertSchemas, parseValue } from './parseResource.ts'
import { isIgnored, type ResourceSchema, withoutSchemaUrn } from './schemas.ts'
import { ScimError } from './scimError.ts'

const PATCH_SCHEMA = 'urn:ietf:params:scim:api:messages:2.0:PatchOp'

/** The maximum number of operations per request. */
const MAX_OPERATIONS = 1000

type Verb = 'add' | 'replace' | 'remove'

/**
 * Applies the operations of a PATCH request to a resource, and returns its next state (RFC 7644 §3.5.2). Also
 * accepts the deviations of Entra ID and Okta: capitalized operations, paths as members of a value, and a removal with
 * values.
 * @throws {ScimError}
 */
export function applyPatch(resource: ScimObject, body: unknown, schema: ResourceSchema): ScimObject {
  const after: Record<string, unknown> = { ...resource }
  for (const { verb, path, value } of parseOperations(body)) {
    if (path === undefined) applyMembers(after, verb, value, schema)
    else applyAt(after, verb, path, value, schema)
  }
  return after
}

interface Operation {
  readonly verb: Verb
  readonly path: string | undefined
  readonly value: unknown
}

function parseOperations(body: unknown): readonly Operation[] {
  if (!isRecord(body)) throw new ScimError('invalidSyntax', `the body should be an object, got ${formatValue(body)}`)
  assertSchemas(body, PATCH_SCHEMA)
  const [, given] = Object.entries(body).find(([name]) => name.toLowerCase() === 'operations') ?? []
  if (!Array.isArray(given) || given.length === 0 || given.length > MAX_OPERATIONS) {
    throw new ScimError('invalidSyntax', `Operations should be a list of 1 to ${MAX_OPERATIONS} operations`)
  }
  return given.map(parseOperation)
}

function parseOperation(given: unknown, index: number): Operation {
  const name = `Operations[${index}]`
  if (!isRecord(given)) throw new ScimError('invalidSyntax', `${name} should be an object, got ${formatValue(given)}`)
  const { op, path, value } = given
  const verb = (['add', 'replace', 'remove'] as const).find((one) => one === String(op).toLowerCase())
  if (!verb) throw new ScimError('invalidSyntax', `${name}.op should be add, replace or remove, got ${formatValue(op)}`)
  if (path !== undefined && path !== null && typeof path !== 'string') {
    throw new ScimError('invalidPath', `${name}.path should be a string, got ${formatValue(path)}`)
  }
  if (verb === 'remove' && !path) throw new ScimError('noTarget', `${name}.path is required to remove a value`)
  if (verb !== 'remove' && value === undefined) throw new ScimError('invalidValue', `${name}.value is required`)
  return { verb, path: path || undefined, value }
}

/** Applies an operation without a path: each member of its value is a path. */
function applyMembers(after: Record<string, unknown>, verb: Verb, value: unknown, schema: ResourceSchema): void {
  if (!isRecord(value)) {
    throw new ScimError('invalidValue', `the value of an operation without path should be an object`)
  }
  for (const [name, member] of Object.entries(value)) {
    if (name.toLowerCase() === schema.id.toLowerCase()) applyMembers(after, verb, member, schema)
    // Okta sends the id of the group with its members.
    else if (!isReadOnly(name, schema)) applyAt(after, verb, name, member, schema)
  }
}

function isReadOnly(name: string, { allAttributes }: ResourceSchema): boolean {
  return allAttributes.some((one) => one.mutability === 'readOnly' && one.name.toLowerCase() === name.toLowerCase())
}

function applyAt(
  after: Record<string, unknown>,
  verb: Verb,
  text: string,
  value: unknown,
  schema: ResourceSchema
): void {
  const name = withoutSchemaUrn(text, schema)
  if (isIgnored(name, schema)) return
  const path = parsePatchPath(name, schema)
  const { attribute, subAttribute } = path
  const isClearing = verb === 'remove' || value === null
  for (const one of [attribute, subAttribute]) {
    if (one?.mutability === 'readOnly') throw new ScimError('mutability', `${text} cannot be changed: it is read-only`)
  }
  if (isClearing && attribute.required) {
    throw new ScimError('mutability', `${attribute.name} cannot be removed: it is required`)
  }
  const before = after[attribute.name]
  after[attribute.name] = attribute.multiValued
    ? patchValues(toObjects(before), isClearing ? 'remove' : verb, path, value, text)
    : patchSingle(before, isClearing, path, value, text)
}

/** Returns the next value of a single-valued attribute. Members of a complex value that are not given are kept. */
function patchSingle(
  before: unknown,
  isClearing: boolean,
  { attribute, filter, subAttribute }: PatchPath,
  value: unknown,
  text: string
): unknown {
  if (filter) throw new ScimError('invalidPath', `${text} has a filter, but ${attribute.name} has a single value`)
  if (subAttribute) {
    const next = isClearing ? undefined : parseValue(value, subAttribute, text)
    return { ...(isRecord(before) ? before : {}), [subAttribute.name]: next }
  }
  if (isClearing) return undefined
  const next = parseValue(value, attribute, text)
  return isRecord(next) && isRecord(before) ? { ...before, ...next } : next
}

/** Returns the next values of a multi-valued attribute. */
function patchValues(
  before: readonly ScimObject[],
  verb: Verb,
  path: PatchPath,
  value: unknown,
  text: string
): readonly ScimObject[] {
  const { attribute, filter, subAttribute } = path
  if (filter || subAttribute) return patchMatching(before, verb, path, value, text)
  if (verb === 'remove') {
    // Entra ID sends the members to remove in the value.
    if (value === undefined || value === null) return []
    const removed = new Set(toObjects(parseValue(value, attribute, text)).map(keyOf))
    return before.filter((one) => !removed.has(keyOf(one)))
  }
  const given = toObjects(parseValue(value, attribute, text))
  return verb === 'replace' ? withSinglePrimary([], given) : withSinglePrimary(before, given)
}

/** Changes or removes the values that match the filter of the path, or all values. */
function patchMatching(
  before: readonly ScimObject[],
  verb: Verb,
  { attribute, filter, subAttribute }: PatchPath,
  value: unknown,
  text: string
): readonly ScimObject[] {
  const isTarget = (one: ScimObject) => !filter || matchesFilter(one, filter)
  if (verb === 'remove') {
    if (!subAttribute) return before.filter((one) => !isTarget(one))
    return before.map((one) => (isTarget(one) ? { ...one, [subAttribute.name]: undefined } : one))
  }
  const members = subAttribute
    ? { [subAttribute.name]: parseValue(value, subAttribute, text) }
    : toMembers(value, attribute, text)
  const targets = before.filter(isTarget)
  if (targets.length > 0) {
    const changed = targets.map((one) => ({ ...one, ...members }))
    const kept = before.filter((one) => !isTarget(one))
    return withSinglePrimary(kept, changed)
  }
  // Entra ID adds `emails[type eq "work"].value` to a person who has no such address.
  const initial = filter ? equalitiesOf(filter) : {}
  if (verb === 'replace' || !initial) {
    throw new ScimError('noTarget', `${text} matches no value of ${attribute.name}`)
  }
  return withSinglePrimary(before, [{ ...initial, ...members }])
}

function toMembers(value: unknown, attribute: Attribute, text: string): ScimObject {
  const [members, ...others] = toObjects(parseValue(value, attribute, text))
  if (members && others.length === 0) return members
  throw new ScimError('invalidValue', `the value of ${text} should be one object, got ${formatValue(value)}`)
}

/** Returns the members that a filter requires, for example `type eq "work"`, or `undefined` if it allows several. */
function equalitiesOf(filter: Filter): ScimObject | undefined {
  if (filter.type === 'compare' && filter.operator === 'eq') return { [filter.path[0].name]: filter.value }
  if (filter.type !== 'and') return undefined
  const parts = filter.filters.map(equalitiesOf)
  return parts.includes(undefined) ? undefined : Object.assign({}, ...parts)
}

/** Adds values that are not in the list yet. The last one that is primary stays the only one. */
function withSinglePrimary(before: readonly ScimObject[], given: readonly ScimObject[]): readonly ScimObject[] {
  const primary = given.findLast((one) => one.primary === true)
  const kept = primary ? before.map((one) => (one.primary === true ? { ...one, primary: false } : one)) : before
  const all = new Map(kept.map((one) => [keyOf(one), one]))
  for (const one of given) {
    all.set(keyOf(one), primary && one !== primary && one.primary === true ? { ...one, primary: false } : one)
  }
  return [...all.values()]
}

/** Returns the identity of a value in a list: its `value` and `type`. Members of groups all have the same type. */
function keyOf({ value, type }: ScimObject): string {
  return JSON.stringify([value, type === 'User' ? undefined : type])
}

function toObjects(value: unknown): readonly ScimObject[] {
  return Array.isArray(value) ? value.filter(isRecord) : []
}
