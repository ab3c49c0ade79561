import type { z } from 'zod'
import { findNearest } from './findNearest.ts'

type Schema = z.core.$ZodType

/**
 * Returns a hint with a leading space for a sentence of `formatIssues` about an unknown property: the most similar one
 * that the schema has. Returns the empty string for other sentences, and if no property is similar.
 */
export function suggestProperty(issue: string, schema: Schema): string {
  const [, name] = /^property (.+) should not exist$/.exec(issue) ?? []
  if (name === undefined) return ''
  const path = name.split('.')
  const property = path.pop() ?? ''
  const nearest = findNearest(property, listProperties(schema, path))
  // A different alternative of a union may have the property.
  return nearest === undefined || nearest === property ? '' : ` (did you mean "${nearest}"?)`
}

/** Lists the properties that a schema allows at a path, in all alternatives of unions. */
function listProperties(schema: Schema, path: readonly string[]): string[] {
  const found = path.reduce<Schema[]>((schemas, step) => schemas.flatMap((each) => childrenOf(each, step)), [schema])
  return found.flatMap(alternativesOf).flatMap(({ _zod: { def } }) => (isObject(def) ? Object.keys(def.shape) : []))
}

function childrenOf(schema: Schema, step: string): Schema[] {
  return alternativesOf(schema).flatMap(({ _zod: { def } }) => {
    if (isObject(def)) return def.shape[step] ?? []
    if ('element' in def) return def.element as Schema
    return 'valueType' in def ? (def.valueType as Schema) : []
  })
}

/** Returns the schemas inside wrappers and unions. */
function alternativesOf(schema: Schema): Schema[] {
  const { def } = schema._zod
  // Zod's definitions of wrappers and unions have these members.
  if ('innerType' in def) return alternativesOf(def.innerType as Schema)
  if ('options' in def) return (def.options as Schema[]).flatMap(alternativesOf)
  if ('getter' in def) return alternativesOf((def.getter as () => Schema)())
  if ('in' in def) return alternativesOf(def.in as Schema)
  return [schema]
}

function isObject(def: z.core.$ZodTypeDef): def is z.core.$ZodObjectDef {
  return def.type === 'object'
}
