import type { IncomingMessage, ServerResponse } from 'node:http'
import { permissions } from '@burgee/contract'
import { type NodeIncomingMessageLike, toNodeHandler } from '@modelcontextprotocol/node'
import {
  createMcpHandler,
  isLegacyRequest,
  type McpHandlerRequestOptions,
  type McpServer
} from '@modelcontextprotocol/server'
import { createToolServer } from '../createToolServer.ts'
import { offered } from '../offered.ts'
import type { Caller, Service, ToolLog } from '../service.ts'
import { createSession } from '../session.ts'
import { authenticate, type Bearer, callerOf } from './bearer.ts'
import { answerMetadata, metadataUrlOf, pathsOf } from './metadata.ts'
import { LARGEST_BODY, readJson } from './readJson.ts'
import { reasonAgainst } from './reasonAgainst.ts'
import { refusal, reply } from './refusal.ts'
import { createSessions } from './sessions.ts'

interface Dependencies {
  /** The address of the endpoint as clients reach it, which is the audience of their tokens: `https://flags.example.com/mcp`. */
  readonly resource: () => string
  /** The issuer of these tokens. */
  readonly authorizationServer: () => string
  /** Finds out who holds a token. Whoever does not is refused with an error whose `status` is 401. */
  readonly verify: (token: string) => Promise<Bearer>
  /** What clients are to ask for who do not know what they need. */
  readonly scope: string
  readonly log: ToolLog
  readonly now: () => number
}

/** The tools over streamable HTTP: for requests of revision 2026-07-28, which stand alone, and for sessions of older ones. */
export interface ToolEndpoint {
  /** Answers a request, and tells when that is done; `false` when its path is somebody else's. */
  readonly handle: (request: IncomingMessage, response: ServerResponse) => Promise<boolean>
  /** Lets calls under way finish for a few seconds, and nobody begin another one; then ends every session. */
  readonly close: () => Promise<void>
}

/** How long calls under way may take when the endpoint closes, in milliseconds. */
const DRAIN_MS = 5_000

/** Puts the tools behind an address. */
export function createToolEndpoint({
  service,
  ...dependencies
}: Omit<Dependencies, 'log' | 'scope'> & { readonly service: Service }): ToolEndpoint {
  const { log, settings } = service
  const needed = new Set(offered(settings).flatMap((tool) => tool.permissions))
  // Not everything that there is: programs that cannot ask again later get by with it, and can do no more than the tools.
  const scope = permissions.filter((permission) => needed.has(permission)).join(' ')
  return serveOverHttp((caller) => createToolServer(service, caller), { ...dependencies, scope, log })
}

/**
 * Puts servers behind an address, as an OAuth resource server (`mcp.md` §6.3): who asks, and what for, is found out from
 * each request anew. A session remembers nothing of it but whose it is.
 */
export function serveOverHttp(
  create: (caller: Caller) => McpServer,
  { resource, authorizationServer, verify, scope, log, now }: Dependencies
): ToolEndpoint {
  const onerror = (error: Error) => log.debug({ err: error }, 'a request to the tool endpoint was refused')
  const sessions = createSessions({ create, now, onerror })
  const alone = createMcpHandler(
    ({ authInfo }) => create({ ...callerOf(authInfo), session: createSession(false) }),
    // What this handler reads is parsed before.
    { legacy: 'reject', onerror }
  )
  const underWay = new Set<Promise<unknown>>()
  let isClosing = false

  const serve = async (request: Request, options: McpHandlerRequestOptions, finished: Promise<void>) => {
    const given = request.method === 'POST' ? options : { ...options, parsedBody: undefined }
    const isLegacy = await isLegacyRequest(request, given.parsedBody)
    return isLegacy ? sessions.serve(request, given, finished) : alone.fetch(request, given)
  }

  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const refused = beforehand(request, resource())
    if (refused) return reply(refused, response)
    const metadataUrl = metadataUrlOf(resource())
    const auth = await authenticate(request.headers.authorization, { verify, metadataUrl, scope, now, log })
    if (auth instanceof Response) return reply(auth, response)
    const body = request.method === 'POST' ? await readJson(request) : null
    if (body instanceof Response) return reply(body, response)
    // What a call under way has asked for is still heard.
    if (isClosing && !isAnswer(body)) return reply(refusal(503, 'the server is stopping'), response)
    const finished = closed(response)
    const fetch = (asked: Request, options: McpHandlerRequestOptions = {}) => serve(asked, options, finished)
    const node = toNodeHandler({ fetch }, { onerror, maxRequestBodySize: LARGEST_BODY })
    // A request of Node is one of these: it only spells out that what is not there is undefined.
    const read = Object.assign(request, { auth }) as NodeIncomingMessageLike
    const done = node(read, response, body)
    if (endsByItself(body)) await kept(underWay, done)
    else await done
  }

  return {
    handle: async (request, response) => {
      const [path = ''] = request.url?.split('?') ?? []
      const { endpoint, metadata } = pathsOf(resource())
      if (metadata.includes(path)) {
        await answerMetadata(request, response, { resource: resource(), authorizationServer: authorizationServer() })
      } else if (endpoint.includes(path)) await answer(request, response)
      else return false
      return true
    },
    close: async () => {
      isClosing = true
      let timer: NodeJS.Timeout | undefined
      const late = new Promise((resolve) => {
        timer = setTimeout(resolve, DRAIN_MS)
      })
      await Promise.race([Promise.allSettled(underWay), late])
      clearTimeout(timer)
      await Promise.all([alone.close(), sessions.close()])
    }
  }
}

/** When nothing more goes out: all of the answer has, or nobody waits for it any more. */
function closed(response: ServerResponse): Promise<void> {
  if (response.destroyed) return Promise.resolve()
  return new Promise((resolve) => void response.once('close', resolve))
}

/** What is wrong with a request whoever sent it. */
function beforehand({ method = '', headers }: IncomingMessage, resource: string): Response | undefined {
  const reason = reasonAgainst(headers, resource)
  if (reason) return refusal(403, reason)
  if (METHODS.includes(method)) return undefined
  // What could be told without being asked would come by GET: there is nothing of the kind.
  return refusal(405, `the method should be ${METHODS.join(' or ')}, got ${method}`, {
    headers: { allow: METHODS.join(', ') }
  })
}

const METHODS = ['POST', 'DELETE']

/** Whether a message answers one of ours. */
function isAnswer(body: unknown): boolean {
  return typeof body === 'object' && body !== null && 'id' in body && !('method' in body)
}

/** Whether what is asked for comes to an end: subscriptions do not. */
function endsByItself(body: unknown): boolean {
  return !(typeof body === 'object' && body !== null && 'method' in body && body.method === 'subscriptions/listen')
}

async function kept(all: Set<Promise<unknown>>, one: Promise<unknown>): Promise<void> {
  all.add(one)
  try {
    await one
  } finally {
    all.delete(one)
  }
}
