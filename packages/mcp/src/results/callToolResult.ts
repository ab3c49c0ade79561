import { escapeInvisibleCharacters } from '@burgee/kit/text'
import type { CallToolResult } from '@modelcontextprotocol/server'
import type { ToolFailure } from './toolFailure.ts'
import type { ToolOutput } from './toolOutput.ts'

/** Returns output in the form of the protocol: data as text and as `structuredContent`, Markdown as text alone. */
export function toCallToolResult(output: ToolOutput, dashboardLink?: string): CallToolResult {
  if ('markdown' in output) return { content: [{ type: 'text', text: output.markdown }] }
  const { result, page } = output
  // The counts come first: a client that cuts long text keeps them.
  const data = { ...page, result, ...(dashboardLink === undefined ? {} : { dashboardLink }) }
  return { content: [{ type: 'text', text: toText(data) }], structuredContent: data }
}

/** Returns a failure in the form of the protocol. */
export function toErrorResult(failure: ToolFailure): CallToolResult {
  return { content: [{ type: 'text', text: toText(failure) }], structuredContent: { ...failure }, isError: true }
}

/** Compact JSON, since every character costs tokens. Invisible characters in what people wrote are escaped. */
function toText(data: unknown): string {
  return escapeInvisibleCharacters(JSON.stringify(data))
}
