import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { UsageError } from '@burgee/kit/settings'
import { isSecureAddress, SignInError } from '@burgee/sign-in'
import type { McpServerContext, ToolLog } from '../connection/context.ts'
import { assertSecureTransport, readClientCredentials } from '../login/account.ts'
import type { Options } from '../settings/settings.ts'
import { errorResponse, sendResponse } from './errorResponse.ts'
import { handleHealth } from './health.ts'
import { createTokenVerifier, type TokenVerifier } from './tokenVerifier.ts'
import { createToolEndpoint, type ToolEndpoint } from './toolEndpoint.ts'

/**
 * Serves all users of the Burgee server over HTTP until `stopped` resolves.
 * @throws {UsageError} without client credentials; {SignInError} when the Burgee server names another issuer.
 */
export async function serveOverHttp(
  options: Options,
  context: McpServerContext,
  stopped: Promise<void>
): Promise<void> {
  const { apiUrl, publicUrl } = options
  const { log, now } = context
  assertSecureTransport(options)
  const credentials = await readClientCredentials(options)
  if (!credentials) {
    throw new UsageError(
      'with --http, SERVICE_CLIENT_ID and SERVICE_CLIENT_SECRET are required: the tool server exchanges tokens as this client'
    )
  }
  const server = createServer(limits)
  // Node.js would drop the headers after the 2,000th without an error. Their total size is limited anyway, to 16 KiB.
  server.maxHeadersCount = 0
  const address = await listen(server, options)
  const resource = () => `${publicUrl || address}/mcp`
  const tokens = createTokenVerifier({ apiUrl, credentials, resource, now })
  const authorizationServer = () => `${apiUrl}/`
  const endpoint = createToolEndpoint({ context, resource, authorizationServer, verify: tokens.verify, now })
  server.on('request', requestListener({ handle: endpoint.handle, prepare: tokens.prepare, resource, log }))
  try {
    await tokens.prepare().catch((error) => {
      if (error instanceof SignInError) throw error
      log.error({ err: error, server: apiUrl }, 'the Burgee server is not reachable yet')
    })
    log.info({ address, resource: resource(), server: apiUrl }, 'burgee-mcp listening')
    await stopped
  } finally {
    await close(server, endpoint.close)
  }
}

interface ListenerDependencies extends Pick<ToolEndpoint, 'handle'>, Pick<TokenVerifier, 'prepare'> {
  /** The address of the endpoint. */
  readonly resource: () => string
  readonly log: ToolLog
}

/** Handles health checks and requests to the endpoint. Logs unexpected errors, and returns them as JSON-RPC errors. */
export function requestListener({ handle, prepare, resource, log }: ListenerDependencies) {
  return async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    try {
      const health = await handleHealth(request, prepare)
      if (health) return await sendResponse(health, response)
      const isHandled = await handle(request, response)
      if (!isHandled)
        await sendResponse(errorResponse(404, `no route for this address; the endpoint is ${resource()}`), response)
    } catch (error) {
      log.error({ err: error }, 'a request failed unexpectedly')
      if (response.headersSent) response.destroy()
      else
        await sendResponse(
          errorResponse(500, 'internal error; the log has the details', { code: INTERNAL_ERROR }),
          response
        )
    }
  }
}

/** Timeouts in milliseconds; they also close connections that send nothing. */
const limits = {
  headersTimeout: 10_000,
  requestTimeout: 30_000,
  keepAliveTimeout: 75_000,
  connectionsCheckingInterval: 1_000
}

/** Listens and returns the address. @throws {UsageError} if the port is unavailable or a public address lacks --public-url. */
async function listen(server: Server, { host, port, publicUrl }: Options): Promise<string> {
  const name = host.includes(':') ? `[${host}]` : host
  if (publicUrl === '' && !isSecureAddress(`http://${name}`)) {
    throw new UsageError(`--host ${host} is reachable from other computers: set the public address with --public-url`)
  }
  await new Promise<void>((resolve, reject) => {
    server.once('error', (cause) => {
      reject(
        new UsageError(`cannot listen on ${name}:${port}: ${cause.message}. Choose another with --host and --port`, {
          cause
        })
      )
    })
    server.listen(port, host, resolve)
  })
  // A server that listens on a port has an address with a port.
  const { port: actualPort } = server.address() as AddressInfo
  return `http://${name}:${actualPort}`
}

async function close(server: Server, closeEndpoint: () => Promise<void>): Promise<void> {
  const closed = new Promise<void>((resolve) => server.close(() => resolve()))
  await closeEndpoint()
  server.closeAllConnections()
  await closed
}

/** The JSON-RPC code for an unexpected error. */
const INTERNAL_ERROR = -32_603
