import { type Operation, operations } from '@burgee/contract'
import { operationTable } from '@burgee/contract/client'
import { z } from 'zod'
import { commandName, projectParameter, segmentsOf, toKebabCase } from './commandName.ts'
import { describeFlag, membersOf, type Node, type Schema } from './describeFlag.ts'
import { exampleArguments } from './exampleArguments.ts'
import type { OperationCommand, OperationFlag } from './operationCommand.ts'
import { toSecondPerson } from './secondPerson.ts'

/**
 * Returns the commands of the operations that take an access token, in the order of the records. Runs at build time,
 * since it loads the records and zod. Flags of the operations that have a reserved name get a prefix.
 */
export function describeOperations(
  described: Readonly<Record<string, Operation>>,
  reserved: readonly string[]
): readonly OperationCommand[] {
  const rows = new Map(operationTable(described).map((row) => [row.id, row]))
  return Object.values(described)
    .filter(({ credential, isDeprecated, responseKind }) => {
      return credential.type === 'token' && !isDeprecated && responseKind !== 'stream'
    })
    .flatMap((operation) => {
      const row = rows.get(operation.id)
      return row ? [describeOperation(operation, row, reserved)] : []
    })
}

function describeOperation(
  operation: Operation,
  row: OperationCommand['row'],
  reserved: readonly string[]
): OperationCommand {
  const { summary, description, credential, body } = operation
  const positional = positionalOf(operation)
  const members = [
    ...partFlags(operation, 'params').filter(({ member }) => member !== positional),
    ...partFlags(operation, 'query'),
    ...partFlags(operation, 'headers'),
    ...partFlags(operation, 'body')
  ]
  const flags = distinct(members, reserved)
  const inWords = (text: string, of?: OperationFlag) => {
    // A flag whose help names its own member describes JSON.
    return toCommandWords(
      text,
      flags.filter((flag) => flag !== of)
    )
  }
  const isUnsettable = flags.some(({ isNullable }) => isNullable)
  const permission = credential.type === 'token' ? credential.permission : undefined
  return {
    name: commandName(operation),
    summary: toSecondPerson(summary),
    ...(description && {
      // The API returns lines; the program can also print an array.
      description: inWords(
        (isUnsettable ? description.replace(/`null`/g, '--unset') : description).replace(
          ', one JSON object per line',
          EXPORT
        )
      )
    }),
    ...(permission && { permission }),
    row,
    ...(positional && { positional, placeholder: nounOf(operation, positional) }),
    flags: flags.map((flag) => ({ ...flag, help: inWords(flag.help, flag) })),
    hasBody: body !== undefined,
    ...(operation.response && { returns: kindOf(toSchema(operation.response)) }),
    ...(body?.safeParse(undefined).success && { isBodyOptional: true as const }),
    columns: columnsOf(operation),
    example: exampleArguments({
      positional: positional && toSchema(operation.params?.shape[positional]),
      flags,
      body: body && toSchema(body),
      schemaOf: ({ in: part, member }) => toSchema(operation[part === 'body' ? 'params' : part]?.shape[member])
    })
  }
}

const EXPORT = ': a JSON array, or one object per line with -o jsonl, which is the default on a terminal'

/**
 * Replaces members and operations in a text of the API by flags and commands: `startDate` is --start-date. Removes the
 * Markdown, which terminals do not show.
 */
function toCommandWords(text: string, flags: readonly OperationFlag[]): string {
  return toSecondPerson(text).replace(/`([^`]+)`/g, (_, name: string) => {
    const flag = flags.find(({ member }) => member === name)
    if (flag) return flag.flag
    const operation = records[name]
    return operation ? `burgee ${commandName(operation)}` : name
  })
}

const records: Readonly<Record<string, Operation>> = operations

/** Returns the parameter at the end of the path, or before its verb. Lists and new resources have none: their parents are flags. */
function positionalOf(operation: Operation): string | undefined {
  const verb = commandName(operation).split(' ').at(-1) ?? ''
  const isCollection = /^(list|create|link)$/.test(verb) && !segmentsOf(operation).at(-1)?.startsWith('{')
  if (isCollection) return undefined
  const names = [...operation.path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name)
  return names.filter((name) => name !== projectParameter(operation)).at(-1)
}

/** Returns the kind of a response. All are objects or lists. */
function kindOf(schema: Schema): 'object' | 'list' {
  return resolve(schema, schema.node).type === 'array' ? 'list' : 'object'
}

/** Returns the flags of a part of the request: one for each member. */
function partFlags(operation: Operation, part: OperationFlag['in']): readonly OperationFlag[] {
  const schema = operation[part]
  if (schema === undefined) return []
  // Texts of queries can stand for booleans.
  const parsed = new Map(membersOf(toSchema(schema, 'output')).map((member) => [member.name, member.node.type]))
  return membersOf(toSchema(schema)).flatMap(({ name, node: written, isRequired }) => {
    const node = part === 'query' && parsed.get(name) === 'boolean' ? { ...written, type: 'boolean' } : written
    // Pages are fetched one after another.
    if (part === 'query' && operation.responseKind === 'list' && /^(page|perPage)$/.test(name)) return []
    if (String(node.description).startsWith('Ignored.')) return []
    return describeFlag({ name, node, isRequired, part, flag: `--${flagName(operation, part, name)}` })
  })
}

/** Names a flag after its member; a path parameter that is only `key` or `id`, after the noun before it. */
function flagName(operation: Operation, part: OperationFlag['in'], member: string): string {
  const exception = flagNames[operation.id]?.[member]
  if (exception !== undefined && part === 'body') return exception
  if (part !== 'params') return toKebabCase(member)
  if (member === projectParameter(operation)) return 'project'
  return member === 'id' ? nounBefore(operation, member) : nounOf(operation, member)
}

/**
 * Returns the noun for a path parameter: for a key, that of its resource; else the name of the parameter, such as `id`.
 */
function nounOf(operation: Operation, member: string): string {
  return member === 'key' ? nounBefore(operation, member) : toKebabCase(member.replaceAll('_', '-'))
}

function nounBefore({ path }: Operation, member: string): string {
  const noun = new RegExp(`/([\\w-]+)/\\{${member}\\}`).exec(path)?.[1] ?? member
  return toKebabCase(noun).replace(/ies$/, 'y').replace(/s$/, '')
}

/** Flags that read better than the names of their members in the body. */
const flagNames: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  generateSdkKeys: { client: 'client-key', server: 'server-key', mobile: 'mobile-key' },
  createChangeRequest: { body: 'change' },
  updateChangeRequest: { body: 'change' },
  createProjectChangeRequest: { body: 'change' },
  updateProjectChangeRequest: { body: 'change' },
  connectIssueTrackerProject: { project: 'for-project' }
}

/** Prefixes each flag whose name is reserved or taken with its part of the request. */
function distinct(flags: readonly OperationFlag[], reserved: readonly string[]): readonly OperationFlag[] {
  const seen = new Set(reserved)
  return flags.map((given) => {
    // `--project` is the project of the path, which has a default.
    const isProjectFilter = given.flag === '--project' && given.in !== 'params'
    const prefix = isProjectFilter ? 'in' : given.in
    const flag: OperationFlag['flag'] =
      seen.has(given.flag) || isProjectFilter ? `--${prefix}-${given.flag.slice(2)}` : given.flag
    seen.add(flag)
    return { ...given, flag }
  })
}

/** Returns the members that a table of a list shows: the most telling ones first, at most six. */
function columnsOf({ response }: Operation): readonly string[] {
  const schema = response && toSchema(response)
  if (!schema || kindOf(schema) !== 'list') return []
  const items = { node: resolve(schema, Object(schema.node).items), defs: schema.defs }
  const members = membersOf(items).map(({ name }) => name)
  const telling = COLUMNS.filter((name) => members.includes(name))
  return (telling.length > 0 ? telling : members).slice(0, 6)
}

const COLUMNS = [
  'date',
  'key',
  'label',
  '_environment',
  'clientId',
  'name',
  'email',
  'type',
  'kind',
  'status',
  'outcome',
  'user_id',
  'url',
  'repo',
  'branch',
  'repository',
  'path',
  'commit',
  'references',
  'targets',
  'event',
  'dimension',
  'actor',
  'scope',
  'createdBy',
  '_createdBy',
  'idp_user',
  'changes',
  'expiresAt',
  'updatedAt',
  '_id',
  'id'
]

function resolve({ defs }: Schema, node: Node | undefined): Node {
  const reference = node?.$ref
  return typeof reference === 'string' ? (defs[reference.replace('#/$defs/', '')] ?? {}) : (node ?? {})
}

function toSchema(schema: unknown, io: 'input' | 'output' = 'input'): Schema {
  if (!(schema instanceof z.ZodType)) return { node: {}, defs: {} }
  const { $defs: defs = {}, ...node } = z.toJSONSchema(schema, { io, unrepresentable: 'any' })
  // JSON Schema is JSON, and its definitions are schemas.
  return { node: node as Node, defs: defs as Schema['defs'] }
}
