import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { clientIn, demandSafe } from '../login/account.ts'
import { isSafe } from '../login/isSafe.ts'
import { SignInError } from '../login/signInError.ts'
import { OptionError, type Options } from '../options.ts'
import type { Service } from '../service.ts'
import { createBearers } from './bearers.ts'
import { healthOf } from './health.ts'
import { refusal, reply } from './refusal.ts'
import { createToolEndpoint } from './toolEndpoint.ts'

/**
 * Serves everybody who signs in to the Burgee server, over HTTP, until `stopped`.
 * @throws {OptionError} without a client of our own; {SignInError} when the Burgee server calls itself something else.
 */
export async function serveOverHttp(options: Options, service: Service, stopped: Promise<void>): Promise<void> {
  const { apiUrl, publicUrl } = options
  const { log, now } = service
  demandSafe(options)
  const credentials = await clientIn(options)
  if (!credentials) {
    throw new OptionError(
      'with --http, SERVICE_CLIENT_ID and SERVICE_CLIENT_SECRET are needed: by them this tool server exchanges the tokens of those who call it'
    )
  }
  const server = createServer(limits)
  const address = await listen(server, options)
  const resource = () => `${publicUrl || address}/mcp`
  const bearers = createBearers({ apiUrl, credentials, resource, now })
  const authorizationServer = () => `${apiUrl}/`
  const endpoint = createToolEndpoint({ service, resource, authorizationServer, verify: bearers.verify, now })
  server.on('request', async (request, response) => {
    try {
      const health = await healthOf(request, bearers.prepare)
      if (health) return await reply(health, response)
      const isOurs = await endpoint.handle(request, response)
      if (!isOurs)
        await reply(refusal(404, `there is nothing at this address; the tools are at ${resource()}`), response)
    } catch (error) {
      log.error({ err: error }, 'a request failed unexpectedly')
      response.destroy()
    }
  })
  try {
    await bearers.prepare().catch((error) => {
      if (error instanceof SignInError) throw error
      log.error({ err: error, server: apiUrl }, 'the Burgee server cannot be reached yet')
    })
    log.info({ address, resource: resource(), server: apiUrl }, 'burgee-mcp listening')
    await stopped
  } finally {
    await close(server, endpoint.close)
  }
}

/** How long clients may take, in milliseconds: also those that only hold connections. */
const limits = {
  headersTimeout: 10_000,
  requestTimeout: 30_000,
  keepAliveTimeout: 75_000,
  connectionsCheckingInterval: 1_000
}

/** Starts to listen; answers the address. @throws {OptionError} when it cannot, or nobody elsewhere would know where it is. */
async function listen(server: Server, { host, port, publicUrl }: Options): Promise<string> {
  const name = host.includes(':') ? `[${host}]` : host
  if (publicUrl === '' && !isSafe(`http://${name}`)) {
    throw new OptionError(`--host ${host} is not of this computer alone: say with --public-url how it is reached`)
  }
  await new Promise<void>((resolve, reject) => {
    server.once('error', (cause) => {
      reject(
        new OptionError(`cannot listen on ${name}:${port}: ${cause.message}. Choose with --host and --port`, { cause })
      )
    })
    server.listen(port, host, resolve)
  })
  // A server on a port answers where it listens.
  const { port: taken } = server.address() as AddressInfo
  return `http://${name}:${taken}`
}

async function close(server: Server, closeEndpoint: () => Promise<void>): Promise<void> {
  const closed = new Promise<void>((resolve) => server.close(() => resolve()))
  await closeEndpoint()
  server.closeAllConnections()
  await closed
}
