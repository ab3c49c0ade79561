import { escapeInvisibleCharacters } from '@burgee/kit/text'
import type { CallToolResult } from '@modelcontextprotocol/server'
import type { Answer } from './answer.ts'
import type { Failure } from './failure.ts'

/** An answer as the protocol carries it: data twice, for programs and as text, and a guide as text alone (`mcp.md` §1). */
export function envelope(answer: Answer, dashboardLink?: string): CallToolResult {
  if ('markdown' in answer) return { content: [{ type: 'text', text: answer.markdown }] }
  const { result, paging } = answer
  const data = { result, ...(dashboardLink === undefined ? {} : { dashboardLink }), ...paging }
  return { content: [{ type: 'text', text: pretty(data) }], structuredContent: data }
}

/** A failure as the protocol carries it. */
export function failed(failure: Failure): CallToolResult {
  return { content: [{ type: 'text', text: pretty(failure) }], structuredContent: { ...failure }, isError: true }
}

/** People wrote what is in it: nothing of that is hidden from whoever reads it, and it stays the same value. */
function pretty(data: unknown): string {
  return escapeInvisibleCharacters(JSON.stringify(data, null, 2))
}
