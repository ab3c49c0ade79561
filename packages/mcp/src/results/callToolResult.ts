import { escapeInvisibleCharacters } from '@burgee/kit/text'
import type { CallToolResult } from '@modelcontextprotocol/server'
import type { ToolFailure } from './toolFailure.ts'
import type { ToolOutput } from './toolOutput.ts'

/** Converts output to the form of the protocol: data as text and `structuredContent`, Markdown as text only. */
export function toCallToolResult(output: ToolOutput, dashboardLink?: string): CallToolResult {
  if ('markdown' in output) return { content: [{ type: 'text', text: output.markdown }] }
  const { result, page } = output
  // The counts come first, so clients that truncate long text keep them.
  const data = { ...page, result, ...(dashboardLink === undefined ? {} : { dashboardLink }) }
  return { content: [{ type: 'text', text: toText(data) }], structuredContent: data }
}

/** Converts a failure to the form of the protocol. */
export function toErrorResult(failure: ToolFailure): CallToolResult {
  return { content: [{ type: 'text', text: toText(failure) }], structuredContent: { ...failure }, isError: true }
}

/** Returns compact JSON, since every character costs tokens. Escapes invisible characters of user-supplied text. */
function toText(data: unknown): string {
  return escapeInvisibleCharacters(JSON.stringify(data))
}
