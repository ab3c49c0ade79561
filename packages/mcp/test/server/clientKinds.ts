import { options, serve, type TestServer, tokenOf as tokenOfApi } from '@burgee/testing/harness'
import { expect, vi } from 'vitest'
import { executable, makeHome, start } from '../executable/program.ts'
import { type Connection, connect, type Place, type Program } from './connections.ts'

/** A kind of connection: the client program, and the deployment of the tool server. */
export interface Kind {
  readonly title: string
  readonly program: Program
  readonly at: 'stdio' | 'mounted' | 'apart'
  /** Whether the newest protocol revision is used. */
  readonly isModern: boolean
  /** Whether calls share a session. */
  readonly isStateful: boolean
  /** Whether there is a dashboard to link to. */
  readonly hasDashboard: boolean
}

/**
 * Both SDK versions over every transport, each with and without elicitation. http.test.ts and confirmation.test.ts cover
 * version 2 of the SDK with older revisions.
 */
export const kinds: readonly Kind[] = [
  kind('stdio', { generation: 'first' }),
  { ...kind('stdio', { generation: 'second', mode: 'auto', canElicit: true }), hasDashboard: true },
  { ...kind('mounted', { generation: 'first', canElicit: true }), hasDashboard: true },
  kind('mounted', { generation: 'second', mode: 'pinned' }),
  { ...kind('apart', { generation: 'second', mode: 'auto', canElicit: true }), hasDashboard: true }
]

function kind(at: Kind['at'], program: Program): Kind {
  const { generation, mode, canElicit } = program
  const isModern = generation === 'second' && mode !== 'legacy'
  const spoken = mode === undefined ? '' : `, ${mode}`
  const title = `a client of the ${generation} generation${spoken}, ${at}${canElicit ? ', with a person to ask' : ''}`
  return { title, program, at, isModern, isStateful: at === 'stdio' || !isModern, hasDashboard: false }
}

/** Starts a server with a store of its own, and connects to its tools. */
export async function open({
  program,
  at,
  hasDashboard
}: Kind): Promise<{ connection: Connection; server: TestServer }> {
  const dashboardUrl = hasDashboard ? DASHBOARD : ''
  const settings = { stdio: {}, mounted: { mcp: true, dashboardUrl }, apart: { toolServers: [TOOL_SERVER] } }[at]
  const server = await serve({}, settings, Date.now())
  server.clock.now = Date.now
  const environment = { BURGEE_DASHBOARD_URL: dashboardUrl }
  const places = {
    stdio: () => localTools(server, environment),
    mounted: () => mountedTools(server),
    apart: () => standaloneTools(server, environment)
  }
  return { server, connection: await connect(program, await places[at]()) }
}

/** The address of the dashboard. */
export const DASHBOARD = 'https://flags.example.com'

/** The public URL of a standalone tool server. */
export const STANDALONE_URL = 'https://tools.example.com/mcp'

/** The server setting for it. */
export const TOOL_SERVER = { clientId: options.adminClientId, address: STANDALONE_URL }

/** A local tool server over stdio for a Burgee server. */
export async function localTools({ url }: Pick<TestServer, 'url'>, environment: Environment = {}): Promise<Place> {
  return { command: [process.execPath, executable], environment: { ...(await asAdministrator(url)), ...environment } }
}

type Environment = Readonly<Record<string, string>>

/** Returns the environment of a tool server that acts as the administrator. */
async function asAdministrator(url: string): Promise<Environment> {
  return {
    SERVICE_API_URL: url,
    SERVICE_CLIENT_ID: options.adminClientId,
    SERVICE_CLIENT_SECRET: options.adminClientSecret,
    ...(await makeHome()).environment
  }
}

/** The tools that a Burgee server mounts itself. */
export async function mountedTools(server: TestServer): Promise<Place> {
  return { url: `${server.url}/mcp`, token: await tokenOfApi(server) }
}

/** A standalone tool server over HTTP for all users of a Burgee server. */
export async function standaloneTools(
  server: Pick<TestServer, 'url'>,
  given: Environment = {}
): Promise<{ url: string; token: string }> {
  const environment = { ...(await asAdministrator(server.url)), ...given }
  const { stderr } = start(['--http', '--port', '0', '--public-url', new URL(STANDALONE_URL).origin], environment)
  const line = await vi.waitFor(
    () => stderr().match(/^.*"burgee-mcp listening".*$/m)?.[0] ?? expect.fail(stderr()),
    20_000
  )
  return { url: `${JSON.parse(line).address}/mcp`, token: await tokenOf(server, environment) }
}

/** Requests a token of a client for the standalone tool server. */
export async function tokenOf(
  { url }: Pick<TestServer, 'url'>,
  { SERVICE_CLIENT_ID: client_id = '', SERVICE_CLIENT_SECRET: client_secret = '' }: Environment
): Promise<string> {
  const answer = await fetch(`${url}/oauth/token`, {
    method: 'POST',
    body: new URLSearchParams({ grant_type: 'client_credentials', client_id, client_secret, resource: STANDALONE_URL })
  })
  const { access_token } = (await answer.json()) as { access_token: string }
  return access_token
}
