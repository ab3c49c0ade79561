import { issuerOf } from './issuer.ts'

/** What there are tokens for, as `aud` of a token names it. */
export interface Resources {
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
export function resourcesOf(publicUrl: string, { mcp, toolServers }: Settings): Resources {
  return { api: issuerOf(publicUrl), ...(mcp ? { tools: toolsAt(publicUrl) } : {}), toolServers }
}

/** Where the tools of a server are. */
export function toolsAt(publicUrl: string): string {
  return `${issuerOf(publicUrl)}mcp`
}

/** All that there are tokens for, the management API first. */
export function listResources({ api, tools, toolServers }: Resources): readonly string[] {
  return [...new Set([api, ...(tools === undefined ? [] : [tools]), ...toolServers.map(({ address }) => address)])]
}

/** What a client has tool servers at. */
export function toolsOf(
  { clientId }: { readonly clientId: string },
  { api, tools, toolServers }: Resources
): readonly string[] {
  // What is this server's own is exchanged by nobody else.
  return toolServers
    .filter((server) => server.clientId === clientId && server.address !== api && server.address !== tools)
    .map(({ address }) => address)
}

/** The one that a text names, with a slash at its end or without. */
export function resourceNamed(text: string, resources: Resources): string | undefined {
  return listResources(resources).find((resource) => bare(resource) === bare(text))
}

function bare(address: string): string {
  return address.replace(/\/$/, '')
}
