import { z } from 'zod'

/** A JSON Schema, or a part of one. */
export type JsonSchema = { readonly [keyword: string]: unknown }

/**
 * The JSON Schema of `schema` in few words, for the list of tools, which every assistant reads whole. It admits all that
 * the schema does, and may admit more: the schema itself decides when the tool is called.
 */
export function condense(schema: z.ZodType, { elsewhere = [], unlisted = [] }: Untold = {}): JsonSchema {
  const { $schema: _, $defs = {}, ...whole } = z.toJSONSchema(schema, { io: 'output', unrepresentable: 'any' })
  const shared = $defs as Readonly<Record<string, JsonSchema>>
  const named: Record<string, JsonSchema> = {}
  const condensed = reduce(whole, { shared, named, within: [], depth: 0, elsewhere, unlisted })
  return Object.keys(named).length === 0 ? condensed : { ...condensed, $defs: named }
}

/** Names of parts that need not be told. */
interface Untold {
  /** Another tool tells all about them: here they are only named. */
  readonly elsewhere?: readonly string[]
  /** They are left out, within parameters. */
  readonly unlisted?: readonly string[]
}

interface Scope extends Required<Untold> {
  /** The parts that the whole schema refers to by name. */
  readonly shared: Readonly<Record<string, JsonSchema>>
  /** Those of them that refer to themselves, condensed. */
  readonly named: Record<string, JsonSchema>
  /** The names that this part stands within. */
  readonly within: readonly string[]
  /** How many objects this part stands within. */
  readonly depth: number
}

/** What few assistants need in order to call a tool; the schema itself still holds to it. */
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
  if (typeof $ref === 'string') return reduceNamed($ref.slice('#/$defs/'.length), beside, scope)
  const { anyOf, oneOf, ...rest } = node
  const forms = (anyOf ?? oneOf) as readonly JsonSchema[] | undefined
  if (forms) return { ...reduce(rest, scope), ...union(forms.map((form) => reduce(form, scope))) }
  // Of names that are not told beforehand there is nothing to say but that there are some.
  if (node.type === 'object' && node.properties === undefined && isOpen(node.additionalProperties, scope)) {
    return described({ type: 'object', description: node.description }, scope)
  }
  const kept = Object.entries(node).filter(([keyword, value]) => {
    const isKept = !DROPPED.has(keyword) || isTold(keyword, value, node, scope)
    return isKept && !isImplied(keyword, node, scope)
  })
  return described(
    Object.fromEntries(kept.map(([keyword, value]) => [keyword, reduceKeyword(keyword, value, scope)])),
    scope
  )
}

/** Limits that assistants are seen to break, and that cost little to tell: those of parameters, such as of what a key is made, and shares. */
function isTold(keyword: string, value: unknown, { maximum }: JsonSchema, { depth }: Scope): boolean {
  if (keyword === 'minimum' || keyword === 'maximum') return maximum === 1 || (depth === 1 && Number(maximum) <= 1000)
  return depth === 1 && (keyword === 'pattern' || (keyword === 'minLength' && Number(value) > 1))
}

/** What another keyword says already; and what only the whole says, for all of its parts. */
function isImplied(keyword: string, { enum: choice, additionalProperties }: JsonSchema, { depth }: Scope): boolean {
  if (keyword === 'type') return choice !== undefined
  return keyword === 'additionalProperties' && additionalProperties === false && depth > 0
}

/** The longest description of a part of a parameter; parameters themselves keep theirs. */
const SHORT = 50

/** The same with as much of its description as its depth deserves: of parts of parameters, a short first sentence. */
function described({ description, ...node }: JsonSchema, { depth }: Scope): JsonSchema {
  if (!description || node.format !== undefined) return node
  // Limits are told when they are broken; and that a key will do is what names of parameters say.
  const sentences = String(description)
    .split(/(?<=\.) /)
    .filter((sentence) => !/^(At most |Its key or its id\.)/.test(sentence))
  const told = depth > 1 ? sentences.slice(0, 1).filter(({ length }) => length <= SHORT) : sentences
  return told.length === 0 ? node : { ...node, description: told.join(' ') }
}

/** Whether the values of an object can be anything, for all that a list of tools needs to say: none of them is an object with members of its own. */
function isOpen(values: unknown, { shared }: Pick<Scope, 'shared'>, seen: ReadonlySet<string> = new Set()): boolean {
  const text = JSON.stringify(values ?? {})
  if (text.includes('"properties"')) return false
  const names = [...text.matchAll(/"#\/\$defs\/(\w+)"/g)].map(([, name = '']) => name)
  return names
    .filter((name) => !seen.has(name))
    .every((name) => isOpen(shared[name], { shared }, new Set([...seen, name])))
}

function reduceKeyword(keyword: string, value: unknown, scope: Scope): unknown {
  const inner = { ...scope, depth: scope.depth + 1 }
  if (keyword === 'properties') {
    const members = Object.entries(value as Readonly<Record<string, JsonSchema>>)
    // A member that can never be there says what the others are not.
    return Object.fromEntries(
      members
        .filter(([name, member]) => !isNever(member) && !(scope.depth > 0 && scope.unlisted.includes(name)))
        .map(([name, member]) => [
          name,
          scope.elsewhere.includes(name) ? outline(reduce(member, { ...inner, named: {} })) : reduce(member, inner)
        ])
    )
  }
  const isSchema = ['items', 'additionalProperties', 'propertyNames'].includes(keyword)
  if (!isSchema || typeof value !== 'object' || value === null) return value
  const { description, ...rest } = reduce(value as JsonSchema, inner)
  // What one of many texts is, the name of the list says.
  return description === undefined || (keyword === 'items' && rest.type === 'string') ? rest : { ...rest, description }
}

/** What kind of value a part is, and no more. */
function outline({ type, items, anyOf }: JsonSchema): JsonSchema {
  if (Array.isArray(anyOf)) return { anyOf: anyOf.map(outline) }
  return { type, ...(items ? { items: outline(Object(items)) } : {}) }
}

/** What a name stands for goes where the name stood, unless it refers to itself. */
function reduceNamed(name: string, beside: JsonSchema, scope: Scope): JsonSchema {
  const ref = { $ref: `#/$defs/${name}` }
  if (scope.within.includes(name)) {
    scope.named[name] ??= {}
    return ref
  }
  const reduced = reduce(scope.shared[name] ?? {}, { ...scope, within: [...scope.within, name] })
  if (!(name in scope.named)) return described({ ...reduced, ...beside }, scope)
  scope.named[name] = reduced
  return described({ ...ref, ...beside }, scope)
}

/** One form for several: objects become one that has the members of all, values a choice of all. */
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

/** Values of one type, or of a list of types; literals of one type become one choice. */
function mergedValues(forms: readonly JsonSchema[]): JsonSchema[] {
  // What can be anything says nothing beside others that say something.
  const telling = forms.filter((form) => Object.keys(form).length > 0)
  const unique = [
    ...new Map(telling.map((form) => [JSON.stringify({ ...form, description: undefined }), form])).values()
  ]
  const choices = unique.filter((form) => 'enum' in form || 'const' in form)
  const plain = unique.filter((form) => Object.keys(form).every((keyword) => keyword === 'type'))
  const rest = unique.filter((form) => !choices.includes(form) && !plain.includes(form))
  const types = [...new Set(plain.flatMap(({ type }) => type as string | string[]))]
  const values = [...new Set(choices.flatMap((form) => (form.enum as unknown[] | undefined) ?? [form.const]))]
  return [
    ...(values.length > 0 ? [{ enum: values }] : []),
    // One type each: some hosts know no lists of types.
    ...types.map((type) => ({ type })),
    ...rest
  ]
}

function isNever({ not }: JsonSchema): boolean {
  return not !== undefined && Object.keys(Object(not)).length === 0
}
