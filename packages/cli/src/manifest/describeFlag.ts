import { isSecretName } from '@burgee/kit/text'
import type { OperationFlag } from './operationCommand.ts'

/** A JSON Schema. */
export type Node = Readonly<Record<string, unknown>>

/** A JSON Schema with the definitions that it refers to. */
export interface Schema {
  readonly node: Node
  readonly defs: Readonly<Record<string, Node>>
}

interface Member {
  readonly name: string
  readonly node: Node
  readonly isRequired: boolean
}

/** Returns the members of an object, or of the alternatives of a union. Their references are resolved. */
export function membersOf({ node, defs }: Schema): readonly Member[] {
  const { properties, required, anyOf, oneOf, allOf } = resolved(node, defs)
  const parts = [anyOf, oneOf, allOf].flatMap((list) => (Array.isArray(list) ? list : []))
  if (parts.length > 0) {
    const all = parts.flatMap((part) => membersOf({ node: part, defs }))
    const isUnion = allOf === undefined
    const byName = new Map(all.map((member) => [member.name, member]))
    return [...byName.values()].map((member) => {
      const everywhere =
        all.filter(({ name, isRequired }) => name === member.name && isRequired).length === parts.length
      const same = all.filter(({ name }) => name === member.name)
      return {
        ...member,
        node: isUnion ? withChoices(member.node, same) : member.node,
        isRequired: isUnion ? everywhere : member.isRequired
      }
    })
  }
  const names = Array.isArray(required) ? required : []
  return Object.entries(Object(properties)).map(([name, member]) => ({
    name,
    // Members of a JSON Schema's properties are schemas.
    node: resolved(member as Node, defs),
    isRequired: names.includes(name)
  }))
}

/** Returns the node of a member that has choices in each alternative, with all of them. */
function withChoices(node: Node, alternatives: readonly Member[]): Node {
  const lists = alternatives.map((one) => choicesOf(one.node))
  const isOpen = lists.some((choices) => choices.length === 0)
  return isOpen ? { ...node, const: undefined, enum: undefined } : { ...node, enum: [...new Set(lists.flat())] }
}

/** Returns the only values of a node; none if others are possible. */
function choicesOf({ const: only, enum: values }: Node): readonly unknown[] {
  if (Array.isArray(values)) return values
  return only === undefined ? [] : [only]
}

/** Follows references; the description beside one takes precedence. */
export function resolved(node: Node, defs: Schema['defs']): Node {
  const { $ref: reference, ...beside } = node
  if (typeof reference !== 'string') {
    const { items, anyOf } = node
    return {
      ...node,
      ...(items ? { items: resolved(items as Node, defs) } : {}),
      ...(Array.isArray(anyOf) ? { anyOf: anyOf.map((part) => shallow(part, defs)) } : {})
    }
  }
  const target = defs[reference.replace('#/$defs/', '')] ?? {}
  return { ...resolved(target, {}), ...(target.$ref ? resolved(target, defs) : {}), ...beside }
}

/** Follows one reference only: schemas can refer to themselves. */
function shallow(node: Node, defs: Schema['defs']): Node {
  const { $ref: reference } = node
  const found = typeof reference === 'string' ? (defs[reference.replace('#/$defs/', '')] ?? {}) : node
  const items = Object(found.items) as Node
  const item = typeof items.$ref === 'string' ? defs[items.$ref.replace('#/$defs/', '')] : undefined
  return item ? { ...found, items: item } : found
}

interface FlagSource {
  readonly name: string
  readonly node: Node
  readonly isRequired: boolean
  readonly part: OperationFlag['in']
  readonly flag: OperationFlag['flag']
}

/** Describes the flag of a member. Lists of texts and numbers are repeatable flags; what is nested is JSON. */
export function describeFlag({ name, node, isRequired, part, flag }: FlagSource): OperationFlag {
  const alternatives = Array.isArray(node.anyOf) ? (node.anyOf as readonly Node[]) : [node]
  const given = alternatives.filter(({ type }) => type !== 'null')
  const lists = given.filter(({ type, items }) => type === 'array' && kindOf(items as Node | undefined) === 'text')
  // One text can be written without a list.
  const isTextOrTexts = lists.length === 1 && given.length === 2 && given.some(({ type }) => type === 'string')
  const values = isTextOrTexts ? lists : given
  const [single = {}] = values
  const isList = values.length === 1 && single.type === 'array' && kindOf(single.items as Node | undefined) !== 'json'
  const value = isList ? (single.items as Node) : single
  const kinds = new Set(values.map((one) => kindOf(isList ? value : one)))
  const [first = 'json', second] = kinds
  // Other users of a computer can see command lines, so the flag of a secret takes a file.
  const kind = second !== undefined ? 'json' : first === 'text' && isSecretName(name) ? 'secret' : first
  const only = choicesOf(value)
  const choices = values.length === 1 && only.length > 0 ? only.map(String) : undefined
  return {
    flag,
    in: part,
    member: name,
    kind,
    ...(choices && { choices }),
    ...(isList && { isList }),
    ...(isRequired && { isRequired }),
    ...(given.length < alternatives.length && { isNullable: true as const }),
    help: helpOf({ name, flag, alternatives: [node, ...given], isNullable: given.length < alternatives.length })
  }
}

/** Returns the description of a member or of its type. What the API does with `null`, --unset does. */
function helpOf({ name, flag, alternatives, isNullable }: HelpSource): string {
  const help = alternatives.map(({ description }) => description).find((text) => typeof text === 'string')
  if (help === undefined) return sentenceOf(name)
  return isNullable ? help.replace(/`null`/g, `--unset ${flag.slice(2)}`) : help
}

interface HelpSource extends Pick<FlagSource, 'name' | 'flag'> {
  readonly alternatives: readonly Node[]
  readonly isNullable: boolean
}

function kindOf(node: Node | undefined): OperationFlag['kind'] {
  const type = node?.type
  if (type === 'string') return 'text'
  if (type === 'number' || type === 'integer') return 'number'
  return type === 'boolean' ? 'boolean' : 'json'
}

/** Describes a member by its name: `controlVariation` is "Control variation." */
function sentenceOf(name: string): string {
  const words = name
    .replace(/^_+/, '')
    .replaceAll(/[_-]/g, ' ')
    .replace(/[A-Z]+/g, (letters) => ` ${letters.toLowerCase()}`)
    .replace(/\b(id|jwks|uri|uris|url)\b/g, (word) => (word === 'uris' ? 'URIs' : word.toUpperCase()))
    .trim()
  return `${words.charAt(0).toUpperCase()}${words.slice(1)}.`
}
