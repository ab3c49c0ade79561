import { options, serve, type TestServer, tokenOf as tokenOfApi } from '@burgee/testing/harness'
import { expect, vi } from 'vitest'
import { type Connection, connect, type Place, type Program } from './connections.ts'
import { executable, makeHome, start } from './program.ts'

/** A way to be connected: which program, to a tool server that runs where. */
export interface Kind {
  readonly title: string
  readonly program: Program
  readonly at: 'stdio' | 'mounted' | 'apart'
  /** Whether the newest revision of the protocol is spoken. */
  readonly isModern: boolean
  /** Whether one call remembers what another has chosen. */
  readonly isKept: boolean
  /** Whether there is a dashboard to link to. */
  readonly hasDashboard: boolean
}

/**
 * Both generations of clients over every transport, and each of their eras with a person to ask and without. The second
 * speaks the old revisions as the first does; that it can is shown where less is called (http.test.ts, confirmation.test.ts).
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
  return { title, program, at, isModern, isKept: at === 'stdio' || !isModern, hasDashboard: false }
}

/** Starts a server with a store of its own, at this moment, and connects to its tools. */
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
    apart: () => toolsApart(server, environment)
  }
  return { server, connection: await connect(program, await places[at]()) }
}

/** Where the dashboard is. */
export const DASHBOARD = 'https://flags.example.com'

/** How a tool server that runs apart is reached by those who are not on this computer. */
export const APART = 'https://tools.example.com/mcp'

/** It, as a server has to know it. */
export const TOOL_SERVER = { clientId: options.adminClientId, address: APART }

/** The tool server that somebody starts for themselves, in front of a server. */
export async function localTools({ url }: Pick<TestServer, 'url'>, environment: Environment = {}): Promise<Place> {
  return { command: [process.execPath, executable], environment: { ...(await asAdministrator(url)), ...environment } }
}

type Environment = Readonly<Record<string, string>>

/** The environment of a tool server that is the administrator's, in front of the server at this address. */
async function asAdministrator(url: string): Promise<Environment> {
  return {
    SERVICE_API_URL: url,
    SERVICE_CLIENT_ID: options.adminClientId,
    SERVICE_CLIENT_SECRET: options.adminClientSecret,
    ...(await makeHome()).environment
  }
}

/** The tools of a server itself. */
export async function mountedTools(server: TestServer): Promise<Place> {
  return { url: `${server.url}/mcp`, token: await tokenOfApi(server) }
}

/** A tool server of its own process, in front of a server, for everybody who signs in there. */
export async function toolsApart(
  server: Pick<TestServer, 'url'>,
  given: Environment = {}
): Promise<{ url: string; token: string }> {
  const environment = { ...(await asAdministrator(server.url)), ...given }
  const { stderr } = start(['--http', '--port', '0', '--public-url', new URL(APART).origin], environment)
  const line = await vi.waitFor(
    () => stderr().match(/^.*"burgee-mcp listening".*$/m)?.[0] ?? expect.fail(stderr()),
    15_000
  )
  return { url: `${JSON.parse(line).address}/mcp`, token: await tokenOf(server, environment) }
}

/** A token of a client, for the tool server that runs apart. */
export async function tokenOf(
  { url }: Pick<TestServer, 'url'>,
  { SERVICE_CLIENT_ID: client_id = '', SERVICE_CLIENT_SECRET: client_secret = '' }: Environment
): Promise<string> {
  const answer = await fetch(`${url}/oauth/token`, {
    method: 'POST',
    body: new URLSearchParams({ grant_type: 'client_credentials', client_id, client_secret, resource: APART })
  })
  const { access_token } = (await answer.json()) as { access_token: string }
  return access_token
}
