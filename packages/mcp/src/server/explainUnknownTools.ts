import { suggestion } from '@burgee/kit/text'
import { type McpServer, ProtocolError, ProtocolErrorCode } from '@modelcontextprotocol/server'
import { formatQuoted } from '../results/formatQuoted.ts'
import type { Tool } from '../tool.ts'
import { tools } from '../tools/tools.ts'
import { TOOL_CALL, wrapHandlers } from './wrapHandlers.ts'

/** Makes errors of calls of unknown tools name the most similar tool, and the settings if they disable the tool. */
export function explainUnknownTools(server: McpServer, enabled: readonly Tool[]): void {
  wrapHandlers(server, (method, handler) => {
    if (method !== TOOL_CALL) return handler
    return async (request, context) => {
      const { name } = Object(request.params)
      if (enabled.some((tool) => tool.name === name)) return handler(request, context)
      throw new ProtocolError(ProtocolErrorCode.InvalidParams, describeUnknown(String(name), enabled))
    }
  })
}

function describeUnknown(name: string, enabled: readonly Tool[]): string {
  const sentence = `Tool ${formatQuoted(name)} not found`
  if (tools.some((tool) => tool.name === name)) return `${sentence}: the settings of this server disable it`
  const nearest = suggestion(
    name,
    enabled.map((tool) => tool.name)
  )
  return `${sentence}${nearest || ': tools/list names the tools of this server'}`
}
