import type { IncomingMessage, ServerResponse } from 'node:http'
import { permissions } from '@burgee/contract'
import { isRecord } from '@burgee/kit'
import { type NodeIncomingMessageLike, toNodeHandler } from '@modelcontextprotocol/node'
import {
  createMcpHandler,
  isLegacyRequest,
  type McpHandlerRequestOptions,
  type McpServer
} from '@modelcontextprotocol/server'
import type { Caller, McpServerContext, ToolLog } from '../connection/context.ts'
import { createSession } from '../connection/session.ts'
import { createMcpServer } from '../server/createMcpServer.ts'
import { enabledTools } from '../tools/enabledTools.ts'
import { type AuthInfo, authenticate, callerOf } from './authenticate.ts'
import { errorResponse, sendResponse, temporaryErrorResponse } from './errorResponse.ts'
import { MAX_BODY_BYTES, readJson } from './readJson.ts'
import { endpointPaths, handleMetadata, resourceMetadataUrl } from './resourceMetadata.ts'
import { createSessions } from './sessions.ts'
import { validateHeaders } from './validateHeaders.ts'

interface Dependencies {
  /** The public address of the endpoint, which is the audience of tokens: `https://flags.example.com/mcp`. */
  readonly resource: () => string
  /** The issuer of tokens. */
  readonly authorizationServer: () => string
  /** Rejects for an invalid token with an error whose `status` is 401, and for one that is not accepted with 403. */
  readonly verify: (token: string) => Promise<AuthInfo>
  /** The scope that challenges ask for. */
  readonly scope: string
  readonly log: ToolLog
  readonly now: () => number
}

/** The tools over streamable HTTP, for revision 2026-07-28 and for sessions of older ones. */
export interface ToolEndpoint {
  /** Handles a request; resolves when the response is sent. Returns `false` for other paths. */
  readonly handle: (request: IncomingMessage, response: ServerResponse) => Promise<boolean>
  /** Rejects new calls, waits a few seconds for calls in progress, and ends all sessions. */
  readonly close: () => Promise<void>
}

/** Creates the endpoint of the tools. */
export function createToolEndpoint({
  context,
  ...dependencies
}: Omit<Dependencies, 'log' | 'scope'> & { readonly context: McpServerContext }): ToolEndpoint {
  const { log, settings } = context
  const required = new Set(enabledTools(settings).flatMap((tool) => tool.permissions))
  // Only the scopes that the tools need, but all of them: some clients cannot request more scopes later.
  const scope = permissions.filter((permission) => required.has(permission)).join(' ')
  return createEndpoint((caller) => createMcpServer(context, caller), { ...dependencies, scope, log })
}

/**
 * Creates an endpoint as an OAuth resource server (MCP revision 2026-07-28, "Authorization"). Each request is
 * authenticated separately; a session stores only the id of its owner.
 */
export function createEndpoint(
  create: (caller: Caller) => McpServer,
  { resource, authorizationServer, verify, scope, log, now }: Dependencies
): ToolEndpoint {
  const protocol = createProtocol(create, { log, now })
  const calls = trackCalls()

  const serve = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const rejection = validateRequest(request, resource())
    if (rejection) return sendResponse(rejection, response)
    const metadataUrl = resourceMetadataUrl(resource())
    const auth = await authenticate(request.headers.authorization, { verify, metadataUrl, scope, now, log })
    if (auth instanceof Response) return sendResponse(auth, response)
    const body = request.method === 'POST' ? await readJson(request, now()) : null
    if (body instanceof Response) return sendResponse(body, response)
    // Responses to elicitations of calls in progress still pass.
    if (calls.isClosing() && !isResponse(body)) {
      return sendResponse(temporaryErrorResponse(503, 'the server is stopping', now()), response)
    }
    // A request of Node satisfies the interface except for members that are explicitly `undefined`.
    const done = protocol.serve(Object.assign(request, { auth }) as NodeIncomingMessageLike, response, body)
    if (isSubscription(body)) await done
    else await calls.track(done)
  }

  return {
    handle: async (request, response) => {
      const [path = ''] = request.url?.split('?') ?? []
      const { endpoint, metadata } = endpointPaths(resource())
      if (metadata.includes(path)) {
        await handleMetadata(request, response, { resource: resource(), authorizationServer: authorizationServer() })
      } else if (endpoint.includes(path)) await serve(request, response)
      else return false
      return true
    },
    close: async () => {
      await calls.drain()
      await protocol.close()
    }
  }
}

/** Creates the handler of authenticated requests: of stateless ones, and of sessions of older revisions. */
function createProtocol(create: (caller: Caller) => McpServer, { log, now }: Pick<Dependencies, 'log' | 'now'>) {
  const onerror = (error: Error) => log.debug({ err: error }, 'a request to the tool endpoint was rejected')
  // The SDK answers these errors with 500.
  const onfailure = (error: unknown) => log.error({ err: error }, 'a request failed unexpectedly')
  const sessions = createSessions({ create, now, onerror })
  const stateless = createMcpHandler(
    ({ authInfo }) => {
      try {
        return create({ ...callerOf(authInfo), session: createSession(false) })
      } catch (error) {
        // `onerror` does not tell this error from invalid requests.
        onfailure(error)
        throw error
      }
    },
    // Legacy requests go to `sessions`.
    { legacy: 'reject', onerror }
  )
  return {
    serve: (request: NodeIncomingMessageLike, response: ServerResponse, body: unknown): Promise<void> => {
      const finished = whenClosed(response)
      const fetch = async (fetched: Request, options: McpHandlerRequestOptions = {}) => {
        const applicable = fetched.method === 'POST' ? options : { ...options, parsedBody: undefined }
        const isLegacy = await isLegacyRequest(fetched, applicable.parsedBody)
        return isLegacy ? sessions.serve(fetched, applicable, finished) : stateless.fetch(fetched, applicable)
      }
      const handler = toNodeHandler({ fetch }, { onerror: onfailure, maxRequestBodySize: MAX_BODY_BYTES })
      return handler(request, response, body)
    },
    close: () => Promise.all([stateless.close(), sessions.close()])
  }
}

/** How long calls in progress may take after the endpoint is closed, in milliseconds. */
const DRAIN_MS = 5_000

/** Keeps track of calls in progress, so that closing can wait for them. */
function trackCalls() {
  const inProgress = new Set<Promise<unknown>>()
  let isClosing = false
  return {
    isClosing: () => isClosing,
    track: async (call: Promise<unknown>): Promise<void> => {
      inProgress.add(call)
      try {
        await call
      } finally {
        inProgress.delete(call)
      }
    },
    drain: async (): Promise<void> => {
      isClosing = true
      let timer: NodeJS.Timeout | undefined
      const timeout = new Promise((resolve) => {
        timer = setTimeout(resolve, DRAIN_MS)
      })
      await Promise.race([Promise.allSettled(inProgress), timeout])
      clearTimeout(timer)
    }
  }
}

/** Resolves when the response is sent, or the client has disconnected. */
function whenClosed(response: ServerResponse): Promise<void> {
  if (response.destroyed) return Promise.resolve()
  return new Promise((resolve) => void response.once('close', resolve))
}

const METHODS = ['POST', 'DELETE']

/** Returns an error response for a request with invalid headers or method. */
function validateRequest({ method = '', headers }: IncomingMessage, resource: string): Response | undefined {
  const issue = validateHeaders(headers, resource)
  if (issue) return errorResponse(403, issue)
  if (METHODS.includes(method)) return undefined
  // GET would open a stream for unsolicited messages, and the server sends none.
  return errorResponse(405, `the method must be ${METHODS.join(' or ')}, got ${method}`, {
    headers: { allow: METHODS.join(', ') }
  })
}

/** Whether a message is a response to a request of the server. */
function isResponse(body: unknown): boolean {
  return isRecord(body) && 'id' in body && !('method' in body)
}

/** Whether a message opens a subscription, which ends only with the connection. */
function isSubscription(body: unknown): boolean {
  return isRecord(body) && body.method === 'subscriptions/listen'
}
