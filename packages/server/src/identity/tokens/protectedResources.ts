import { toIssuer } from './toIssuer.ts'

/** What there are tokens for, as `aud` of a token names it. */
export interface ProtectedResources {
  /** The management API. It is meant by those who name nothing. */
  readonly api: string
  /** The tools of this server, where it has them. */
  readonly tools?: string
  readonly toolServers: readonly ToolServer[]
}

/** A tool server that runs apart. */
export interface ToolServer {
  readonly address: string
  /** The client that exchanges the tokens for it, and nobody else. */
  readonly clientId: string
}

interface Settings {
  readonly mcp: boolean
  readonly toolServers: readonly ToolServer[]
}

/** What a server gives tokens for that is reached under this address. */
export function toProtectedResources(publicUrl: string, { mcp, toolServers }: Settings): ProtectedResources {
  return { api: toIssuer(publicUrl), ...(mcp ? { tools: toToolsUrl(publicUrl) } : {}), toolServers }
}

/** Where the tools of a server are. */
export function toToolsUrl(publicUrl: string): string {
  return `${toIssuer(publicUrl)}mcp`
}

/** All that there are tokens for, the management API first. */
export function listProtectedResources({ api, tools, toolServers }: ProtectedResources): readonly string[] {
  return [...new Set([api, ...(tools === undefined ? [] : [tools]), ...toolServers.map(({ address }) => address)])]
}

/** What a client has tool servers at. */
export function listToolServerUrls(
  { clientId }: { readonly clientId: string },
  { api, tools, toolServers }: ProtectedResources
): readonly string[] {
  // What is this server's own is exchanged by nobody else.
  return toolServers
    .filter((server) => server.clientId === clientId && server.address !== api && server.address !== tools)
    .map(({ address }) => address)
}

/** The one that a text names, with a slash at its end or without. */
export function findProtectedResource(text: string, resources: ProtectedResources): string | undefined {
  return listProtectedResources(resources).find((resource) => bare(resource) === bare(text))
}

function bare(address: string): string {
  return address.replace(/\/$/, '')
}
