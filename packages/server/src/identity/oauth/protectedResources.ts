import { toIssuer } from './toIssuer.ts'

/** The resources that this server issues tokens for, by the `aud` of the tokens. */
export interface ProtectedResources {
  /** The management API, the default. */
  readonly api: string
  /** The tool endpoint of this server, if enabled. */
  readonly tools?: string
  readonly toolServers: readonly ToolServer[]
}

/** A standalone tool server. */
export interface ToolServer {
  readonly address: string
  /** The only client that may exchange tokens for this tool server. */
  readonly clientId: string
}

interface Settings {
  readonly mcp: boolean
  readonly toolServers: readonly ToolServer[]
}

/** Returns the resources of a server with this URL. */
export function toProtectedResources(publicUrl: string, { mcp, toolServers }: Settings): ProtectedResources {
  return { api: toIssuer(publicUrl), ...(mcp ? { tools: toToolsUrl(publicUrl) } : {}), toolServers }
}

/** The URL of the tool endpoint of a server. */
export function toToolsUrl(publicUrl: string): string {
  return `${toIssuer(publicUrl)}mcp`
}

/** Lists all resources, the management API first. */
export function listProtectedResources({ api, tools, toolServers }: ProtectedResources): readonly string[] {
  return [...new Set([api, ...(tools === undefined ? [] : [tools]), ...toolServers.map(({ address }) => address)])]
}

/** Lists the tool servers of a client. */
export function listToolServerUrls(
  { clientId }: { readonly clientId: string },
  { api, tools, toolServers }: ProtectedResources
): readonly string[] {
  // Only this server exchanges tokens for its own tool endpoint.
  return toolServers
    .filter((server) => server.clientId === clientId && server.address !== api && server.address !== tools)
    .map(({ address }) => address)
}

/** Returns the resource with this URL, with or without a trailing slash. */
export function findProtectedResource(text: string, resources: ProtectedResources): string | undefined {
  return listProtectedResources(resources).find((resource) => bare(resource) === bare(text))
}

function bare(address: string): string {
  return address.replace(/\/$/, '')
}
