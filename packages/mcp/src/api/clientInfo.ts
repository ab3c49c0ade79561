import { MAX_ASSISTANT_NAME_LENGTH } from '@burgee/contract/schemas'
import { sanitizeLine } from '@burgee/kit/text'
import type { ClientCapabilities, Implementation, McpServer, ServerContext } from '@modelcontextprotocol/server'
import { CLIENT_CAPABILITIES_META_KEY, CLIENT_INFO_META_KEY } from '@modelcontextprotocol/server'

/** The sources of client information: each request (revision 2026-07-28), or the handshake of the connection. */
interface ClientConnection {
  readonly server: McpServer
  readonly request: ServerContext
}

/** Whether the client supports elicitation with forms, which an empty capability implies. */
export function canElicit({ server, request }: ClientConnection): boolean {
  const { elicitation } =
    requestMeta(request)[CLIENT_CAPABILITIES_META_KEY] ?? server.server.getClientCapabilities() ?? {}
  return elicitation !== undefined && (elicitation.form !== undefined || Object.keys(elicitation).length === 0)
}

/** Whether the client handles `InputRequiredResult` (revision 2026-07-28). Others receive `elicitation/create`. */
export function handlesInputRequests({ request }: Pick<ClientConnection, 'request'>): boolean {
  return CLIENT_CAPABILITIES_META_KEY in requestMeta(request)
}

/** Returns the name and version that the client claims, for example `some-host 1.2.3`. */
export function assistantName({ server, request }: ClientConnection): string | undefined {
  const client = requestMeta(request)[CLIENT_INFO_META_KEY] ?? server.server.getClientVersion()
  return client && sanitizeLine(`${client.name} ${client.version}`).slice(0, MAX_ASSISTANT_NAME_LENGTH)
}

interface RequestMeta {
  readonly [CLIENT_CAPABILITIES_META_KEY]?: ClientCapabilities
  readonly [CLIENT_INFO_META_KEY]?: Implementation
}

function requestMeta({ mcpReq }: ServerContext): RequestMeta {
  // The SDK has validated the envelope; its types omit the members.
  return (mcpReq.envelope ?? {}) as RequestMeta
}
