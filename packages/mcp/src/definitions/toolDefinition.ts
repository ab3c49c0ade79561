import type {
  CallToolResult,
  JsonSchemaValidator,
  jsonSchemaValidator,
  StandardSchemaWithJSON,
  ToolAnnotations
} from '@modelcontextprotocol/server'
import { fromJsonSchema } from '@modelcontextprotocol/server'
import { z } from 'zod'
import type { ToolSettings } from '../settings/toolSettings.ts'
import type { Tool, ToolAccess } from '../tool.ts'
import { enabledTools } from '../tools/enabledTools.ts'
import { condenseSchema, type JsonSchema } from './condenseSchema.ts'

/** A tool as `tools/list` describes it. */
export interface ToolDefinition {
  readonly title: string
  readonly description: string
  readonly inputSchema: StandardSchemaWithJSON<Arguments>
  readonly outputSchema?: OutputSchema
  readonly annotations: ToolAnnotations
}

type OutputSchema = StandardSchemaWithJSON<CallToolResult['structuredContent']>

/** The settings that affect definitions. */
type DefiningSettings = Pick<ToolSettings, 'confirm' | 'readOnly' | 'categories' | 'dashboardUrl'>

/** The arguments of a call, before they are parsed. */
export type Arguments = Readonly<Record<string, unknown>>

/** Returns the definition of a tool. Cached, since condensing schemas is slow and each request creates a server. */
export function toolDefinition(tool: Tool, settings: DefiningSettings): ToolDefinition {
  const { confirm, readOnly, categories, dashboardUrl } = settings
  const key = JSON.stringify([confirm, readOnly, categories, dashboardUrl !== ''])
  const cached = definitions.get(tool) ?? new Map<string, ToolDefinition>()
  definitions.set(tool, cached)
  const definition = cached.get(key) ?? createDefinition(tool, settings)
  cached.set(key, definition)
  return definition
}

/** By the settings that affect the definition of a tool; a process has one or few of them. */
const definitions = new WeakMap<Tool, Map<string, ToolDefinition>>()

function createDefinition(tool: Tool, settings: DefiningSettings): ToolDefinition {
  const { confirm, dashboardUrl } = settings
  const { name, title, description, access, preview, hiddenProperties: hidden, describedElsewhere = {} } = tool
  const enabled = new Set(enabledTools(settings).map(({ name }) => name))
  const outlined = Object.keys(describedElsewhere).filter((part) => enabled.has(describedElsewhere[part] ?? ''))
  const input = condenseSchema(tool.input, { name, outlined, ...(hidden ? { hidden } : {}) })
  const { projectKey, ...own } = Object(input.properties)
  const token = preview && confirm !== 'never' ? confirmationToken : {}
  // `projectKey` is the last parameter of every tool.
  const properties = 'projectKey' in tool.input.shape ? { ...own, ...token, projectKey } : { ...own, ...token }
  const output = outputSchemaOf(tool, dashboardUrl !== '')
  return {
    title,
    description,
    // `runTool` validates arguments, so that these errors have the same form as all other failures.
    inputSchema: fromJsonSchema<Arguments>({ ...input, properties }, acceptAnything),
    ...(output ? { outputSchema: compileOutput(output) } : {}),
    annotations: hints[access]
  }
}

/** The result of the first call explains how to use it. */
const confirmationToken = { confirmationToken: { type: 'string' } } as const

/** The tool annotations of the protocol. No tool accesses anything but the Burgee server. */
const hints: Readonly<Record<ToolAccess, ToolAnnotations>> = {
  reads: toAnnotations({ readOnly: true, destructive: false, idempotent: true }),
  session: toAnnotations({ readOnly: false, destructive: false, idempotent: true }),
  creates: toAnnotations({ readOnly: false, destructive: false, idempotent: false }),
  updates: toAnnotations({ readOnly: false, destructive: true, idempotent: true }),
  deletes: toAnnotations({ readOnly: false, destructive: true, idempotent: false })
}

function toAnnotations(hints: { readOnly: boolean; destructive: boolean; idempotent: boolean }): ToolAnnotations {
  const { readOnly, destructive, idempotent } = hints
  return { readOnlyHint: readOnly, destructiveHint: destructive, idempotentHint: idempotent, openWorldHint: false }
}

/** An outline of `structuredContent`; responses of the API are validated against the contract. */
function outputSchemaOf({ input, output }: Tool, hasDashboard: boolean): JsonSchema | undefined {
  if (!output) return undefined
  const isList = output instanceof z.ZodArray
  const isPaged = 'perPage' in input.shape
  const counts = isPaged ? { total: { type: 'integer' }, page: { type: 'integer' }, perPage: { type: 'integer' } } : {}
  const link = hasDashboard ? { dashboardLink: { type: 'string' } } : {}
  // Nothing is required, since version 1 of the SDK validates failures against it as well.
  return { type: 'object', properties: { result: { type: isList ? 'array' : 'object' }, ...link, ...counts } }
}

/** Compiles an outline of outputs. Cached: tools share few outlines, and compiling one takes milliseconds. */
function compileOutput(outline: JsonSchema): OutputSchema {
  const text = JSON.stringify(outline)
  const compiled = outputs.get(text) ?? fromJsonSchema(outline)
  outputs.set(text, compiled)
  return compiled
}

const outputs = new Map<string, OutputSchema>()

/** Accepts any object; `runTool` validates it. */
const acceptAnything: jsonSchemaValidator = {
  getValidator<T>(): JsonSchemaValidator<T> {
    return (input) => ({ valid: true, data: input as T, errorMessage: undefined })
  }
}
