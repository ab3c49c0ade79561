import type { z } from 'zod'

type Schema = z.core.$ZodType

/** Lists the properties that a schema allows at a path, in all alternatives of unions. */
export function listProperties(schema: Schema, path: readonly string[]): string[] {
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
