import { MAX_ASSISTANT_NAME_LENGTH } from '@burgee/contract/schemas'
import { sanitizeLine } from '@burgee/kit/text'
import type { ClientCapabilities, Implementation, McpServer, ServerContext } from '@modelcontextprotocol/server'
import { CLIENT_CAPABILITIES_META_KEY, CLIENT_INFO_META_KEY } from '@modelcontextprotocol/server'

/** A connection as its client describes itself: with each request (revision 2026-07-28), or when it began. */
interface Connection {
  readonly server: McpServer
  readonly context: ServerContext
}

/** Whether the client can ask the person with a form. One that names no way of asking means this one. */
export function canElicit({ server, context }: Connection): boolean {
  const { elicitation } =
    envelopeOf(context)[CLIENT_CAPABILITIES_META_KEY] ?? server.server.getClientCapabilities() ?? {}
  return elicitation !== undefined && (elicitation.form !== undefined || Object.keys(elicitation).length === 0)
}

/** Whether the client asks by itself what an answer says it should (revision 2026-07-28); others are sent the question. */
export function asksByItself({ context }: Pick<Connection, 'context'>): boolean {
  return CLIENT_CAPABILITIES_META_KEY in envelopeOf(context)
}

/** What the program calls itself that the assistant runs in, as in `some-host 1.2.3`. It may say anything. */
export function assistantIn({ server, context }: Connection): string | undefined {
  const told = envelopeOf(context)[CLIENT_INFO_META_KEY] ?? server.server.getClientVersion()
  return told && sanitizeLine(`${told.name} ${told.version}`).slice(0, MAX_ASSISTANT_NAME_LENGTH)
}

interface Envelope {
  readonly [CLIENT_CAPABILITIES_META_KEY]?: ClientCapabilities
  readonly [CLIENT_INFO_META_KEY]?: Implementation
}

function envelopeOf({ mcpReq }: ServerContext): Envelope {
  // The SDK holds requests with an envelope against the protocol's schema before they come here; its types leave the members out.
  return (mcpReq.envelope ?? {}) as Envelope
}
