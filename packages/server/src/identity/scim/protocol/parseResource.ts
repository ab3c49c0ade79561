import { isRecord } from '@burgee/kit'
import { formatValue } from '@burgee/kit/text'
import { type Attribute, findAttribute, type ScimObject } from './attribute.ts'
import { type ResourceSchema, withoutSchemaUrn } from './schemas.ts'
import { ScimError } from './scimError.ts'

/** The maximum length of a string. */
const MAX_LENGTH = 1024

/**
 * Parses a resource of a request. Ignores attributes that clients cannot write and those that the server does not
 * store; `null` and empty lists are the same as no value (RFC 7643 §2.5).
 * @throws {ScimError} `invalidSyntax` or `invalidValue`
 */
export function parseResource(body: unknown, schema: ResourceSchema): ScimObject {
  if (!isRecord(body)) throw new ScimError('invalidSyntax', `the body should be an object, got ${formatValue(body)}`)
  assertSchemas(body, schema.id)
  const entries = Object.entries(body).map(([name, value]) => [withoutSchemaUrn(name, schema), value])
  const resource = parseMembers(Object.fromEntries(entries), schema.allAttributes, '')
  for (const { name, required } of schema.attributes) {
    if (required && (resource[name] === undefined || resource[name] === '')) {
      throw new ScimError('invalidValue', `${name} is required`)
    }
  }
  return resource
}

/** Asserts that `schemas` of a message contains the expected schema, if given. @throws {ScimError} `invalidSyntax` */
export function assertSchemas(body: ScimObject, id: string): void {
  const { schemas } = body
  if (schemas === undefined) return
  const names: readonly unknown[] = Array.isArray(schemas) ? schemas : [schemas]
  if (names.some((name) => typeof name === 'string' && name.toLowerCase() === id.toLowerCase())) return
  throw new ScimError('invalidSyntax', `schemas should contain ${id}, got ${formatValue(schemas)}`)
}

function parseMembers(given: ScimObject, attributes: readonly Attribute[], parent: string): ScimObject {
  const members: Record<string, unknown> = {}
  for (const [name, value] of Object.entries(given)) {
    const attribute = findAttribute(attributes, name)
    if (!attribute || attribute.mutability === 'readOnly') continue
    const parsed = parseValue(value, attribute, `${parent}${attribute.name}`)
    if (parsed !== undefined) members[attribute.name] = parsed
  }
  return members
}

/**
 * Parses a value of an attribute, or all values of a multi-valued one. Returns undefined for no value.
 * @throws {ScimError} `invalidValue`
 */
export function parseValue(value: unknown, attribute: Attribute, path: string): unknown {
  if (value === null || value === undefined) return undefined
  if (!attribute.multiValued) return parseSingle(value, attribute, path)
  const values: readonly unknown[] = Array.isArray(value) ? value : [value]
  return values.length === 0 ? undefined : values.map((one, index) => parseSingle(one, attribute, `${path}[${index}]`))
}

function parseSingle(value: unknown, { type, subAttributes = [] }: Attribute, path: string): unknown {
  switch (type) {
    case 'complex':
      if (!isRecord(value)) throw invalid(path, 'an object', value)
      return parseMembers(value, subAttributes, `${path}.`)
    case 'boolean':
      return parseBoolean(value, path)
    default:
      if (typeof value !== 'string') throw invalid(path, 'a string', value)
      if (value.length > MAX_LENGTH) throw invalid(path, `a string of at most ${MAX_LENGTH} characters`, value)
      return value
  }
}

/** Entra ID sends booleans as the strings "True" and "False". */
function parseBoolean(value: unknown, path: string): boolean {
  if (typeof value === 'boolean') return value
  if (typeof value === 'string' && /^(true|false)$/i.test(value)) return value.toLowerCase() === 'true'
  throw invalid(path, 'true or false', value)
}

function invalid(path: string, expected: string, value: unknown): ScimError {
  return new ScimError('invalidValue', `${path} should be ${expected}, got ${formatValue(value)}`)
}
