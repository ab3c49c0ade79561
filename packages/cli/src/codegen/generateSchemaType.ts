import { isRecord, parseJson } from '@burgee/kit'
import { JSON_OBJECT_TYPE, JSON_VALUE_TYPE } from './generateJsonTypes.ts'
import { formatDocComment, formatLiteral, formatMemberName, formatUnion, indent, parenthesize } from './syntax.ts'

/**
 * Returns the TypeScript type of the objects that match a JSON Schema, which is given as JSON text. The type accepts
 * every object that matches; constraints without a TypeScript equivalent, such as lengths, and references to other
 * schemas are ignored.
 */
export function generateSchemaType(text: string): string {
  const type = typeOf(parseJson(text), 'object', 0)
  return type === JSON_VALUE_TYPE ? JSON_OBJECT_TYPE : type
}

type Members = Readonly<Record<string, unknown>>

/** The maximum nesting depth; deeper values have the type of arbitrary JSON. */
const MAX_DEPTH = 20

/** @param kind The JSON type of the value, if it is already known. */
function typeOf(schema: unknown, kind: string | undefined, depth: number): string {
  if (schema === false) return 'never'
  if (!isRecord(schema) || depth > MAX_DEPTH || '$ref' in schema || '$dynamicRef' in schema) return JSON_VALUE_TYPE
  if ('const' in schema) return literal(schema.const, depth)
  if (Array.isArray(schema.enum)) return formatUnion(schema.enum.map((value) => literal(value, depth)))
  const inner = kind ?? schema.type
  // Validation also supports `nullable` of OpenAPI. A value that is known to be an object is not null.
  const orNull = kind === undefined && schema.nullable === true ? ['null'] : []
  const alternatives = [schema.anyOf, schema.oneOf].filter(Array.isArray).map((schemas) => formatUnion(each(schemas)))
  const conjuncts = Array.isArray(schema.allOf) ? each(schema.allOf) : []
  return intersect([formatUnion([...typesOfKinds(schema, inner, depth), ...orNull]), ...alternatives, ...conjuncts])

  function each(schemas: readonly unknown[]): string[] {
    const shared = typeof inner === 'string' && orNull.length === 0 ? inner : undefined
    return schemas.map((one) => typeOf(one, shared, depth + 1))
  }
}

/** Returns the intersection of types. */
function intersect(types: readonly string[]): string {
  const specific = [...new Set(types)].filter((type) => type !== JSON_VALUE_TYPE && type !== JSON_OBJECT_TYPE)
  if (specific.length > 0) return specific.length === 1 ? specific.join('') : specific.map(parenthesize).join(' & ')
  return types.includes(JSON_OBJECT_TYPE) ? JSON_OBJECT_TYPE : JSON_VALUE_TYPE
}

function typesOfKinds(schema: Members, kinds: unknown, depth: number): readonly string[] {
  return [kinds].flat().map((kind) => typeOfKind(schema, kind, depth))
}

function typeOfKind(schema: Members, kind: unknown, depth: number): string {
  switch (kind) {
    case 'string':
    case 'number':
    case 'boolean':
    case 'null':
      return kind
    case 'integer':
      return 'number'
    case 'array':
      return arrayType(schema, depth)
    case 'object':
      return objectType(schema, depth)
    default:
      return JSON_VALUE_TYPE
  }
}

function arrayType({ items, prefixItems }: Members, depth: number): string {
  // The first items of a tuple have their own schemas.
  const isHomogeneous = prefixItems === undefined && isRecord(items)
  return `${isHomogeneous ? parenthesize(typeOf(items, undefined, depth + 1)) : JSON_VALUE_TYPE}[]`
}

function objectType(schema: Members, depth: number): string {
  const properties = isRecord(schema.properties) ? schema.properties : {}
  const required = (Array.isArray(schema.required) ? schema.required : []).filter((name) => typeof name === 'string')
  const names = [...new Set([...Object.keys(properties), ...required])]
  if (names.length === 0) return recordType(schema, depth)
  const members = names.map((name) => {
    const property = Object.hasOwn(properties, name) ? properties[name] : true
    const comment = isRecord(property) && typeof property.description === 'string' ? property.description : ''
    const mark = required.includes(name) ? '' : '?'
    return `\n${formatDocComment(comment)}${formatMemberName(name)}${mark}: ${typeOf(property, undefined, depth + 1)}`
  })
  return `{${indent(members.join(''))}\n}`
}

/** Returns the type of objects with arbitrary keys. */
function recordType({ additionalProperties, patternProperties }: Members, depth: number): string {
  if (patternProperties !== undefined || !isRecord(additionalProperties)) return JSON_OBJECT_TYPE
  return `{ [member: string]: ${typeOf(additionalProperties, undefined, depth + 1)} }`
}

/** Returns the literal type of a value. */
function literal(value: unknown, depth: number): string {
  if (depth > MAX_DEPTH) return JSON_VALUE_TYPE
  if (Array.isArray(value)) return `[${value.map((item) => literal(item, depth + 1)).join(', ')}]`
  if (!isRecord(value))
    return value === Number.POSITIVE_INFINITY || value === Number.NEGATIVE_INFINITY ? 'number' : formatLiteral(value)
  const members = Object.entries(value).map(
    ([name, inner]) => `${formatMemberName(name)}: ${literal(inner, depth + 1)}`
  )
  return members.length === 0 ? JSON_OBJECT_TYPE : `{ ${members.join('; ')} }`
}
