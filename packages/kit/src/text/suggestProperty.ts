import type { z } from 'zod'
import { findNearest } from './findNearest.ts'
import { formatValue } from './formatValue.ts'

type Schema = z.core.$ZodType

/**
 * Returns a hint to append to a sentence of `formatIssues` about an unknown property: the most similar one that the
 * schema has, or which alternative of a union has it. Returns the empty string for other sentences, and if no property
 * is similar.
 */
export function suggestProperty(issue: string, schema: Schema): string {
  const [, name] = /^property (.+) should not exist$/.exec(issue) ?? []
  if (name === undefined) return ''
  const path = name.split('.')
  const property = path.pop() ?? ''
  const forms = listForms(schema, path)
  const nearest = findNearest(
    property,
    forms.flatMap((form) => Object.keys(form))
  )
  if (nearest === undefined) return ''
  return nearest === property ? describeForm(property, forms) : ` (did you mean "${nearest}"?)`
}

/**
 * Names the members that distinguish the alternatives with a property from those without it, for example `subType
 * "customData"`.
 */
function describeForm(property: string, forms: readonly Form[]): string {
  const having = forms.filter((form) => Object.hasOwn(form, property))
  const lacking = forms.filter((form) => !Object.hasOwn(form, property))
  const distinguishing = Object.keys(having[0] ?? {}).flatMap((member) => {
    const values = having.map((form) => literalsOf(form[member]))
    const others = lacking.flatMap((form) => literalsOf(form[member]))
    const own = [...new Set(values.flat())]
    const isFixed = values.every((literals) => literals.length > 0)
    if (!isFixed || others.length === 0 || own.some((value) => others.includes(value))) return []
    return [`${member} ${own.map((value) => formatValue(value)).join(' or ')}`]
  })
  return distinguishing.length === 0 ? '' : `: it belongs to ${distinguishing.join(' and ')}`
}

/** The values that a literal or an enumeration allows; none for other schemas. */
function literalsOf(schema: Schema | undefined): readonly unknown[] {
  const def = schema?._zod.def
  if (def === undefined) return []
  // Zod's definitions of these types have these members.
  if (def.type === 'literal') return (def as z.core.$ZodLiteralDef<z.core.util.Literal>).values
  return def.type === 'enum' ? Object.values((def as z.core.$ZodEnumDef).entries) : []
}

type Form = z.core.$ZodObjectDef['shape']

/** Lists the forms that a schema allows at a path: the members of each alternative of unions. */
function listForms(schema: Schema, path: readonly string[]): Form[] {
  const found = path.reduce<Schema[]>((schemas, step) => schemas.flatMap((each) => childrenOf(each, step)), [schema])
  return found.flatMap(alternativesOf).flatMap(({ _zod: { def } }) => (isObject(def) ? [def.shape] : []))
}

function childrenOf(schema: Schema, step: string): Schema[] {
  return alternativesOf(schema).flatMap(({ _zod: { def } }) => {
    if (isObject(def)) return def.shape[step] ?? def.catchall ?? []
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
