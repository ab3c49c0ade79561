import { z } from 'zod'

/** A JSON Schema, or a part of one. */
export type JsonSchema = { readonly [keyword: string]: unknown }

/**
 * Returns a short JSON Schema of a zod schema. Every assistant reads the list of tools, so each character costs tokens.
 * The result accepts everything that the schema accepts, and possibly more: calls are validated by the schema itself.
 */
export function condenseSchema(
  schema: z.ZodType,
  { outlined = [], hidden = [], ...context }: Omissions & { readonly name: string }
): JsonSchema {
  const { $schema: _, $defs = {}, ...whole } = z.toJSONSchema(schema, { io: 'output', unrepresentable: 'any' })
  const shared = $defs as Readonly<Record<string, JsonSchema>>
  const named: Record<string, JsonSchema> = {}
  const condensed = reduce(whole, { shared, named, within: [], depth: 0, outlined, hidden, names: [context.name] })
  return Object.keys(named).length === 0 ? condensed : { ...condensed, $defs: named }
}

/** Properties that the result does not describe in full. */
interface Omissions {
  /** Reduced to their types, since another tool describes them. */
  readonly outlined?: readonly string[]
  /** Omitted from nested objects. */
  readonly hidden?: readonly string[]
}

interface Scope extends Required<Omissions> {
  /** The definitions that the whole schema refers to. */
  readonly shared: Readonly<Record<string, JsonSchema>>
  /** The recursive ones of these, condensed. */
  readonly named: Record<string, JsonSchema>
  /** The definitions that contain this node. */
  readonly within: readonly string[]
  /** How many objects contain this node. */
  readonly depth: number
  /** The names of the tool and of the members that contain this node. */
  readonly names: readonly string[]
}

/** Keywords that assistants rarely need; calls are validated against them nevertheless. */
const DROPPED = new Set([
  'default',
  'example',
  'maxItems',
  'maxLength',
  'maximum',
  'minItems',
  'minLength',
  'minimum',
  'not',
  'pattern',
  'propertyNames'
])

function reduce(node: JsonSchema, scope: Scope): JsonSchema {
  const { $ref, ...beside } = node
  // A schema derived from a named one repeats members next to its reference.
  if (typeof $ref === 'string') {
    const { example: _, ...described } = beside
    const own = 'properties' in beside ? reduce(beside, scope) : described
    return reduceNamed($ref.slice('#/$defs/'.length), own, scope)
  }
  const { anyOf, oneOf, ...rest } = node
  const forms = (anyOf ?? oneOf) as readonly JsonSchema[] | undefined
  if (forms) return { ...reduce(rest, scope), ...union(forms.map((form) => reduce(form, scope))) }
  // A map with free-form values.
  if (node.type === 'object' && isMap(node) && isFreeForm(node.additionalProperties, scope)) {
    return withDescription({ type: 'object', description: node.description }, scope)
  }
  const kept = Object.entries(node).filter(([keyword, value]) => {
    return (!DROPPED.has(keyword) || isUseful(keyword, value, node, scope)) && !isImplied(keyword, node, scope)
  })
  return withDescription(
    Object.fromEntries(kept.map(([keyword, value]) => [keyword, reduceKeyword(keyword, value, scope)])),
    scope
  )
}

/** Whether a limit is worth its tokens because assistants often violate it: the limits of parameters, and of shares. */
function isUseful(keyword: string, value: unknown, { maximum }: JsonSchema, { depth }: Scope): boolean {
  if (keyword === 'minimum' || keyword === 'maximum') return maximum === 1 || (depth === 1 && Number(maximum) <= 1000)
  return depth === 1 && (keyword === 'pattern' || (keyword === 'minLength' && Number(value) > 1))
}

/** Whether an object has no declared properties. */
function isMap({ properties = {} }: JsonSchema): boolean {
  return Object.keys(Object(properties)).length === 0
}

/** Whether another keyword or the root implies a keyword. */
function isImplied(keyword: string, node: JsonSchema, { depth }: Scope): boolean {
  const { enum: values, additionalProperties } = node
  if (keyword === 'type') return values !== undefined
  if (keyword === 'properties') return additionalProperties !== undefined && isMap(node)
  return keyword === 'additionalProperties' && additionalProperties === false && depth > 0
}

/** The longest description of a nested property, in characters; parameters keep theirs. */
const SHORT = 50

/** Sentences that say what a name says, or state a limit, which error messages do too. */
const IMPLIED =
  /^(At most |(Its k|K)ey or id\.|The display name|Explains the resource|Identifies the resource|Labels that lists)/

/** Words that add nothing to a name. That references are keys or ids is in the instructions of the server. */
const FILLERS = new Set('an and by id in key member object of only or the this to with'.split(' '))

/** Whether a sentence only repeats names and values: "Key or id of the feature." of `featureKey`. */
function repeats(sentence: string, known: readonly string[]): boolean {
  const stems = known.flatMap((name) => name.split(/(?=[A-Z])|[^A-Za-z]+/)).map((stem) => stem.toLowerCase())
  const words = sentence.toLowerCase().match(/[\w-]+/g) ?? []
  const telling = words.filter((word) => !FILLERS.has(word))
  return telling.length > 0 && telling.every((word) => stems.some((stem) => isForm(word, stem)))
}

/** Whether one of two words continues the other: variables and variable, ascending and asc. */
function isForm(word: string, stem: string): boolean {
  return word === stem || (Math.min(word.length, stem.length) > 2 && (word.startsWith(stem) || stem.startsWith(word)))
}

/** The members of an object, which its schema lists. */
const FORM = /: an object with [^.]*\.$/

/** Shortens the description: nested properties keep a short first sentence. */
function withDescription({ description, ...node }: JsonSchema, { depth, names }: Scope): JsonSchema {
  if (!description || node.format !== undefined) return node
  const known = [...names, ...Object.keys(Object(node.properties)), ...(Array.isArray(node.enum) ? node.enum : [])]
  const sentences = (node.properties ? String(description).replace(FORM, '.') : String(description))
    .split(/(?<=\.) /)
    .filter((sentence) => !IMPLIED.test(sentence) && !repeats(sentence, known))
  const kept = depth > 1 ? sentences.slice(0, 1).filter(({ length }) => length <= SHORT) : sentences
  return kept.length === 0 ? node : { ...node, description: kept.join(' ') }
}

/** Whether no value of a map is an object with declared properties. */
function isFreeForm(
  values: unknown,
  { shared }: Pick<Scope, 'shared'>,
  seen: ReadonlySet<string> = new Set()
): boolean {
  const text = JSON.stringify(values ?? {})
  if (text.includes('"properties":{"')) return false
  const names = [...text.matchAll(/"#\/\$defs\/(\w+)"/g)].map(([, name = '']) => name)
  return names
    .filter((name) => !seen.has(name))
    .every((name) => isFreeForm(shared[name], { shared }, new Set([...seen, name])))
}

function reduceKeyword(keyword: string, value: unknown, scope: Scope): unknown {
  const inner = { ...scope, depth: scope.depth + 1 }
  if (keyword === 'properties') {
    const members = Object.entries(value as Readonly<Record<string, JsonSchema>>)
    // A property of schema `not: {}` only excludes itself.
    return Object.fromEntries(
      members
        .filter(([name, member]) => !isNever(member) && !(scope.depth > 0 && scope.hidden.includes(name)))
        .map(([name, member]) => {
          const own = { ...inner, names: [...scope.names, name] }
          return [
            name,
            scope.outlined.includes(name) ? outline(reduce(member, { ...own, named: {} })) : reduce(member, own)
          ]
        })
    )
  }
  const isSchema = ['items', 'additionalProperties', 'propertyNames'].includes(keyword)
  if (!isSchema || typeof value !== 'object' || value === null) return value
  const { description, ...rest } = reduce(value as JsonSchema, inner)
  // The name of a list describes its strings.
  return description === undefined || (keyword === 'items' && rest.type === 'string') ? rest : { ...rest, description }
}

/** Reduces a node to its type. */
function outline({ type, items, anyOf }: JsonSchema): JsonSchema {
  if (Array.isArray(anyOf)) return { anyOf: anyOf.map(outline) }
  return { type, ...(items ? { items: outline(Object(items)) } : {}) }
}

/** Inlines a definition, unless it is recursive. */
function reduceNamed(name: string, beside: JsonSchema, scope: Scope): JsonSchema {
  const ref = { $ref: `#/$defs/${name}` }
  if (scope.within.includes(name)) {
    scope.named[name] ??= {}
    return ref
  }
  const reduced = reduce(scope.shared[name] ?? {}, { ...scope, within: [...scope.within, name] })
  if (!(name in scope.named)) return withDescription({ ...reduced, ...beside }, scope)
  scope.named[name] = reduced
  return withDescription({ ...ref, ...beside }, scope)
}

/** Merges alternatives: objects into one with the properties of all, values into one enumeration. */
function union(given: readonly JsonSchema[]): JsonSchema {
  const forms = given.flatMap((form) => (Array.isArray(form.anyOf) ? (form.anyOf as JsonSchema[]) : [form]))
  const objects = forms.filter(({ properties }) => properties !== undefined)
  const arrays = forms.filter(({ items }) => items !== undefined)
  const others = forms.filter((form) => !objects.includes(form) && !arrays.includes(form))
  const merged = [
    ...(objects.length > 0 ? [mergedObject(objects)] : []),
    ...(arrays.length > 0 ? [mergedArray(arrays)] : []),
    ...mergedValues(others)
  ]
  const [only, ...more] = merged
  return only && more.length === 0 ? only : { anyOf: merged }
}

function mergedObject(objects: readonly JsonSchema[]): JsonSchema {
  const [first, ...others] = objects
  if (!first || others.length === 0) return first ?? {}
  const properties: Record<string, JsonSchema[]> = {}
  for (const { properties: members } of objects) {
    for (const [name, member] of Object.entries(members as Readonly<Record<string, JsonSchema>>)) {
      properties[name] = [...(properties[name] ?? []), member]
    }
  }
  const requiredBy = objects.map(({ required }) => (required ?? []) as readonly string[])
  const required = (requiredBy[0] ?? []).filter((name) => requiredBy.every((names) => names.includes(name)))
  return {
    type: 'object',
    properties: Object.fromEntries(Object.entries(properties).map(([name, members]) => [name, union(members)])),
    ...(required.length > 0 ? { required } : {})
  }
}

function mergedArray(arrays: readonly JsonSchema[]): JsonSchema {
  return { ...arrays[0], items: union(arrays.map(({ items }) => items as JsonSchema)) }
}

/** Merges alternatives that are values. */
function mergedValues(forms: readonly JsonSchema[]): JsonSchema[] {
  // An alternative that accepts anything adds no information.
  const informative = forms.filter((form) => Object.keys(form).length > 0)
  const unique = [
    ...new Map(informative.map((form) => [JSON.stringify({ ...form, description: undefined }), form])).values()
  ]
  const enumerations = unique.filter((form) => 'enum' in form || 'const' in form)
  const plain = unique.filter((form) => Object.keys(form).every((keyword) => keyword === 'type'))
  const rest = unique.filter((form) => !enumerations.includes(form) && !plain.includes(form))
  const types = [...new Set(plain.flatMap(({ type }) => type as string | string[]))]
  const values = [...new Set(enumerations.flatMap((form) => (form.enum as unknown[] | undefined) ?? [form.const]))]
  return [
    ...(values.length > 0 ? [{ enum: values }] : []),
    // One schema per type, since some hosts do not support lists of types.
    ...types.map((type) => ({ type })),
    ...rest
  ]
}

function isNever({ not }: JsonSchema): boolean {
  return not !== undefined && Object.keys(Object(not)).length === 0
}
