import type {
  CallToolResult,
  JsonSchemaValidator,
  jsonSchemaValidator,
  StandardSchemaWithJSON,
  ToolAnnotations
} from '@modelcontextprotocol/server'
import { fromJsonSchema } from '@modelcontextprotocol/server'
import { z } from 'zod'
import { offered } from '../offered.ts'
import type { ToolSettings } from '../settings.ts'
import type { Changes, Tool } from '../tool.ts'
import { condense, type JsonSchema } from './condense.ts'

/** What clients are told of a tool. */
export interface Listing {
  readonly title: string
  readonly description: string
  readonly inputSchema: StandardSchemaWithJSON<Arguments>
  readonly outputSchema?: StandardSchemaWithJSON<CallToolResult['structuredContent']>
  readonly annotations: ToolAnnotations
}

/** The arguments of a call, as they came in. */
export type Arguments = Readonly<Record<string, unknown>>

/** What clients are told of a tool, made once: there is a server for each request, and to condense schemas takes long. */
export function listingOf(tool: Tool, settings: ToolSettings): Listing {
  const listings = made.get(settings) ?? new Map<Tool, Listing>()
  made.set(settings, listings)
  const listing = listings.get(tool) ?? makeListing(tool, settings)
  listings.set(tool, listing)
  return listing
}

const made = new WeakMap<ToolSettings, Map<Tool, Listing>>()

/** One that is confirmed takes the token of a confirmation too. */
function makeListing(tool: Tool, settings: ToolSettings): Listing {
  const { confirm, dashboardUrl } = settings
  const { title, description, changes, preview, unlisted, elsewhere = {} } = tool
  const tellers = new Set(offered(settings).map(({ name }) => name))
  const told = Object.keys(elsewhere).filter((part) => tellers.has(elsewhere[part] ?? ''))
  const input = condense(tool.input, { elsewhere: told, ...(unlisted ? { unlisted } : {}) })
  const { projectKey, ...own } = Object(input.properties)
  const token = preview && confirm !== 'never' ? confirmationToken : {}
  // The project stands last, whatever else there is.
  const properties = 'projectKey' in tool.input.shape ? { ...own, ...token, projectKey } : { ...own, ...token }
  const output = outputOf(tool, dashboardUrl !== '')
  return {
    title,
    description,
    // What arrives is held against the tool's own schema, so that mistakes are told as the others are.
    inputSchema: fromJsonSchema<Arguments>({ ...input, properties }, acceptAnything),
    ...(output ? { outputSchema: fromJsonSchema(output) } : {}),
    annotations: hints[changes]
  }
}

/** The parameter that brings back what an earlier call answered, which also says how to use it. */
const confirmationToken = { confirmationToken: { type: 'string' } } as const

/** The hints of the protocol. Nothing reaches beyond the Burgee server. */
const hints: Readonly<Record<Changes, ToolAnnotations>> = {
  nothing: hintsOf({ readOnly: true, destructive: false, idempotent: true }),
  session: hintsOf({ readOnly: false, destructive: false, idempotent: true }),
  adds: hintsOf({ readOnly: false, destructive: false, idempotent: false }),
  replaces: hintsOf({ readOnly: false, destructive: true, idempotent: true }),
  removes: hintsOf({ readOnly: false, destructive: true, idempotent: false })
}

function hintsOf(are: { readOnly: boolean; destructive: boolean; idempotent: boolean }): ToolAnnotations {
  const { readOnly, destructive, idempotent } = are
  return { readOnlyHint: readOnly, destructiveHint: destructive, idempotentHint: idempotent, openWorldHint: false }
}

/** What `structuredContent` is, in outline: the contract says the rest, and answers are held against it. */
function outputOf({ input, output }: Tool, hasDashboard: boolean): JsonSchema | undefined {
  if (!output) return undefined
  const isList = output instanceof z.ZodArray
  const isPaged = 'perPage' in input.shape
  const counts = isPaged ? { total: { type: 'integer' }, page: { type: 'integer' }, perPage: { type: 'integer' } } : {}
  const link = hasDashboard ? { dashboardLink: { type: 'string' } } : {}
  // None of it is required: clients of the first SDK hold failures against it as well.
  return { type: 'object', properties: { result: { type: isList ? 'array' : 'object' }, ...link, ...counts } }
}

/** What comes in is looked at later: its type says no more than that it is an object, which the protocol demands. */
const acceptAnything: jsonSchemaValidator = {
  getValidator<T>(): JsonSchemaValidator<T> {
    return (input) => ({ valid: true, data: input as T, errorMessage: undefined })
  }
}
