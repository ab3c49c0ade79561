import { AsyncLocalStorage } from 'node:async_hooks'
import { randomUUID } from 'node:crypto'
import type { TokenSource } from '@burgee/contract/client'
import { isRecord } from '@burgee/kit'
import {
  isInitializeRequest,
  type McpHandlerRequestOptions,
  type McpServer,
  WebStandardStreamableHTTPServerTransport
} from '@modelcontextprotocol/server'
import type { Caller } from '../connection/context.ts'
import { createSession } from '../connection/session.ts'
import { callerOf } from './authenticate.ts'
import { errorResponse, temporaryErrorResponse } from './errorResponse.ts'

const MAX_SESSIONS = 1_000
const MAX_SESSIONS_PER_CALLER = 20

/** The maximum number of concurrent requests of a session, including unanswered elicitations. */
const MAX_REQUESTS = 20

/** How long an unused session is kept, in milliseconds. */
const IDLE_MS = 30 * 60_000

interface Dependencies {
  /** Creates the server of a session. */
  readonly create: (caller: Caller) => McpServer
  readonly now: () => number
  readonly onerror: (error: Error) => void
}

/** The sessions of clients of revisions up to 2025-11-25. */
export interface Sessions {
  /** Handles a request, which counts as in progress until `finished`. */
  readonly serve: (request: Request, options: McpHandlerRequestOptions, finished: Promise<void>) => Promise<Response>
  /** Ends all sessions. */
  readonly close: () => Promise<void>
}

interface OpenSession {
  /** The id of the caller that started the session. Others cannot use it. */
  readonly owner: string
  readonly server: McpServer
  readonly transport: WebStandardStreamableHTTPServerTransport
  /** Requests in progress. */
  busy: number
  lastUsed: number
}

/** Keeps sessions in memory. The response is the same for the session of another caller, an ended and an unknown one. */
export function createSessions({ create, now, onerror }: Dependencies): Sessions {
  const sessions = createSessionStore(now)

  const start = async (owner: string): Promise<OpenSession> => {
    const transport = new WebStandardStreamableHTTPServerTransport({
      sessionIdGenerator: randomUUID,
      onsessioninitialized: (id) => sessions.add(id, session),
      onsessionclosed: (id) => sessions.forget(id)
    })
    transport.onerror = onerror
    const server = create({ id: owner, tokens: tokensOfRequest, session: createSession(true) })
    const session: OpenSession = { owner, server, transport, busy: 0, lastUsed: now() }
    await server.connect(transport)
    return session
  }

  const handle = async (
    session: OpenSession,
    request: Request,
    options: McpHandlerRequestOptions,
    finished: Promise<void>
  ): Promise<Response> => {
    // Responses to elicitations are exempt, since each of them ends a request.
    if (session.busy >= MAX_REQUESTS && hasRequest(options.parsedBody)) {
      const message = `${MAX_REQUESTS} requests of this session are in progress, which is the limit: wait for one of them`
      return temporaryErrorResponse(429, message, now())
    }
    session.busy++
    session.lastUsed = now()
    void finished.then(() => {
      session.busy--
      session.lastUsed = now()
    })
    return requests.run(callerOf(options.authInfo).tokens, () => session.transport.handleRequest(request, options))
  }

  return {
    serve: async (request, options, finished) => {
      await sessions.endIdle()
      const { id: owner } = callerOf(options.authInfo)
      const id = request.headers.get('mcp-session-id')
      if (id !== null) {
        const session = sessions.find(id, owner)
        if (session) return handle(session, request, options, finished)
        return errorResponse(404, 'the session does not exist: start a new one', { code: -32_001 })
      }
      if (![options.parsedBody].flat().some((message) => isInitializeRequest(message))) {
        return errorResponse(400, 'the Mcp-Session-Id header is missing: a session starts with initialize')
      }
      const session = await start(owner)
      const response = await handle(session, request, options, finished)
      if (session.transport.sessionId === undefined) await session.server.close()
      return response
    },
    close: () => sessions.endAll()
  }
}

function createSessionStore(now: () => number) {
  const sessions = new Map<string, OpenSession>()

  const end = async ([id, { server }]: readonly [string, OpenSession]): Promise<void> => {
    sessions.delete(id)
    await server.close()
  }

  const endWhere = async (isEnded: (session: OpenSession) => boolean): Promise<void> => {
    await Promise.all([...sessions].filter(([, session]) => isEnded(session)).map(end))
  }

  return {
    /** Adds a session. Over a limit, ends the least recently used session, preferring idle ones. */
    add: async (id: string, session: OpenSession): Promise<void> => {
      sessions.set(id, session)
      const own = [...sessions].filter(([, { owner }]) => owner === session.owner)
      if (own.length <= MAX_SESSIONS_PER_CALLER && sessions.size <= MAX_SESSIONS) return
      const candidates = own.length > MAX_SESSIONS_PER_CALLER ? own : [...sessions]
      const [oldest] = candidates.sort(([, a], [, b]) => {
        return Math.sign(a.busy) - Math.sign(b.busy) || a.lastUsed - b.lastUsed
      })
      if (oldest) await end(oldest)
    },
    forget: (id: string): void => void sessions.delete(id),
    find: (id: string, owner: string): OpenSession | undefined => {
      const session = sessions.get(id)
      return session?.owner === owner ? session : undefined
    },
    endIdle: () => endWhere(({ busy, lastUsed }) => busy === 0 && now() - lastUsed >= IDLE_MS),
    endAll: () => endWhere(() => true)
  }
}

/** Whether a body has a request or a notification; responses have no method. */
function hasRequest(body: unknown): boolean {
  return [body].flat().some((message) => isRecord(message) && 'method' in message)
}

/** The tokens of the request in progress. Not an argument, since the SDK passes no context to completions. */
const requests = new AsyncLocalStorage<TokenSource>()

/** Supplies the tokens of the request in progress, since each request of a session has its own token. */
const tokensOfRequest: TokenSource = {
  getToken: (operation) => currentTokens().getToken(operation),
  invalidate: () => currentTokens().invalidate()
}

function currentTokens(): TokenSource {
  const tokens = requests.getStore()
  if (!tokens) throw new Error('the API was called outside of a request')
  return tokens
}
