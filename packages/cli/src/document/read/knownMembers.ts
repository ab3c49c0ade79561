import { isRecord } from '@burgee/kit'
import { projectSchema } from '../jsonSchema.ts'

/** Returns the names of the members that files can have at a path. */
export function knownMembers(path: readonly PropertyKey[]): readonly string[] {
  return unique(schemasAt(path).flatMap(({ properties }) => (isRecord(properties) ? Object.keys(properties) : [])))
}

/** Returns the texts that files can have at a path; none if it takes any. */
export function knownValues(path: readonly PropertyKey[]): readonly string[] {
  return unique(schemasAt(path).flatMap((schema) => (Array.isArray(schema.enum) ? schema.enum : [schema.const])))
}

/** Returns what a value at a path has to contain to have a member, such as `schemaType enum`. */
export function formsWith(path: readonly PropertyKey[], name: string): readonly string[] {
  const forms = schemasAt(path).flatMap(({ properties }) => {
    return isRecord(properties) && Object.hasOwn(properties, name) ? Object.entries(properties) : []
  })
  return unique(
    forms.flatMap(([member, schema]) => {
      return isRecord(schema) && typeof schema.const === 'string' ? [`${member} ${schema.const}`] : []
    })
  )
}

function unique(values: readonly unknown[]): readonly string[] {
  return [...new Set(values.filter((value) => typeof value === 'string'))]
}

type Schema = Readonly<Record<string, unknown>>

/** Returns the schemas of a path, each alternative by itself. */
function schemasAt(path: readonly PropertyKey[]): readonly Schema[] {
  const root = projectSchema()
  const places = path.reduce<readonly unknown[]>(
    (schemas, part) => formsOf(schemas, root).flatMap((form) => step(form, part)),
    [root]
  )
  return formsOf(places, root)
}

/** Returns schemas with their alternatives and what they refer to. */
function formsOf(schemas: readonly unknown[], root: object): readonly Schema[] {
  return schemas.filter(isRecord).flatMap((schema) => {
    const { $ref, anyOf, oneOf, allOf } = schema
    const target = typeof $ref === 'string' ? [follow($ref, root)] : []
    const nested = [anyOf, oneOf, allOf].flatMap((list) => (Array.isArray(list) ? list : []))
    return [schema, ...formsOf([...target, ...nested], root)]
  })
}

/** Returns what a reference such as `#/$defs/Percentage` refers to. */
function follow(reference: string, root: object): unknown {
  const names = reference.split('/').slice(1)
  return names.reduce<unknown>((value, name) => (isRecord(value) ? value[name] : undefined), root)
}

function step({ properties, additionalProperties, items }: Schema, part: PropertyKey): readonly unknown[] {
  if (typeof part === 'number') return [items]
  const name = String(part)
  return isRecord(properties) && Object.hasOwn(properties, name) ? [properties[name]] : [additionalProperties]
}
