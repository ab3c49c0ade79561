import { AsyncLocalStorage } from 'node:async_hooks'
import { randomUUID } from 'node:crypto'
import type { TokenSource } from '@burgee/contract/client'
import {
  isInitializeRequest,
  type McpHandlerRequestOptions,
  type McpServer,
  WebStandardStreamableHTTPServerTransport
} from '@modelcontextprotocol/server'
import type { Caller } from '../service.ts'
import { createSession } from '../session.ts'
import { callerOf } from './bearer.ts'
import { refusal } from './refusal.ts'

/** How many sessions one caller may have open, and all of them together. */
const MOST_OF_ONE = 20
const MOST = 1_000

/** How many requests of one session may be under way, questions among them that nobody has answered yet. */
const MOST_UNDER_WAY = 20

/** How long a session may go unused, in milliseconds. */
const IDLE_MS = 30 * 60_000

interface Dependencies {
  /** Makes the server of a session. */
  readonly create: (caller: Caller) => McpServer
  readonly now: () => number
  readonly onerror: (error: Error) => void
}

/** The sessions of clients that speak revisions up to 2025-11-25. */
export interface Sessions {
  /** Answers a request, which is under way until `finished`. */
  readonly serve: (request: Request, given: McpHandlerRequestOptions, finished: Promise<void>) => Promise<Response>
  /** Ends all of them. */
  readonly close: () => Promise<void>
}

interface Open {
  /** Nobody else can use it. */
  readonly owner: string
  readonly server: McpServer
  readonly transport: WebStandardStreamableHTTPServerTransport
  /** Requests under way. */
  busy: number
  lastUsed: number
}

/** Keeps sessions in memory. One that somebody else began, that has ended or that never was is not there: nobody can tell which. */
export function createSessions({ create, now, onerror }: Dependencies): Sessions {
  const sessions = new Map<string, Open>()

  const end = async ([id, { server }]: readonly [string, Open]): Promise<void> => {
    sessions.delete(id)
    await server.close()
  }

  const endAll = async (isOver: (session: Open) => boolean): Promise<void> => {
    await Promise.all([...sessions].filter(([, session]) => isOver(session)).map(end))
  }

  /** Lets a session in; where there are too many now, the one ends that has gone unused for longest. */
  const admit = async (id: string, session: Open): Promise<void> => {
    sessions.set(id, session)
    const own = [...sessions].filter(([, { owner }]) => owner === session.owner)
    if (own.length <= MOST_OF_ONE && sessions.size <= MOST) return
    const [longest] = (own.length > MOST_OF_ONE ? own : [...sessions]).sort(([, one], [, other]) => {
      return Math.sign(one.busy) - Math.sign(other.busy) || one.lastUsed - other.lastUsed
    })
    if (longest) await end(longest)
  }

  const begin = async (owner: string): Promise<Open> => {
    const transport = new WebStandardStreamableHTTPServerTransport({
      sessionIdGenerator: randomUUID,
      onsessioninitialized: (id) => admit(id, session),
      onsessionclosed: (id) => void sessions.delete(id)
    })
    transport.onerror = onerror
    const server = create({ id: owner, tokens: tokensOfRequest, session: createSession(true) })
    const session: Open = { owner, server, transport, busy: 0, lastUsed: now() }
    await server.connect(transport)
    return session
  }

  const use = async (session: Open, request: Request, given: McpHandlerRequestOptions, finished: Promise<void>) => {
    // What answers a question is one fewer soon.
    if (session.busy >= MOST_UNDER_WAY && asks(given.parsedBody)) {
      return refusal(429, `${MOST_UNDER_WAY} requests of this session are under way: wait for one of them`)
    }
    session.busy++
    session.lastUsed = now()
    void finished.then(() => {
      session.busy--
      session.lastUsed = now()
    })
    return requests.run(callerOf(given.authInfo).tokens, () => session.transport.handleRequest(request, given))
  }

  return {
    serve: async (request, given, finished) => {
      await endAll(({ busy, lastUsed }) => busy === 0 && now() - lastUsed >= IDLE_MS)
      const { id: owner } = callerOf(given.authInfo)
      const id = request.headers.get('mcp-session-id')
      if (id !== null) {
        const session = sessions.get(id)
        if (!session || session.owner !== owner) {
          return refusal(404, 'there is no such session: begin another one', { code: -32_001 })
        }
        return use(session, request, given, finished)
      }
      if (![given.parsedBody].flat().some((message) => isInitializeRequest(message))) {
        return refusal(400, 'the Mcp-Session-Id header is missing: a session begins with initialize')
      }
      const session = await begin(owner)
      const answer = await use(session, request, given, finished)
      if (session.transport.sessionId === undefined) await session.server.close()
      return answer
    },
    close: () => endAll(() => true)
  }
}

/** Whether a message wants something done. */
function asks(body: unknown): boolean {
  return [body].flat().some((message) => typeof message === 'object' && message !== null && 'method' in message)
}

/** With what the API is asked for the request in hand. Not all that the SDK calls is handed the request: completions are not. */
const requests = new AsyncLocalStorage<TokenSource>()

/** Each request of a session brings a token of its own, and is answered with no other. */
const tokensOfRequest: TokenSource = {
  getToken: (operation) => heldTokens().getToken(operation),
  invalidate: () => heldTokens().invalidate()
}

function heldTokens(): TokenSource {
  const tokens = requests.getStore()
  if (!tokens) throw new Error('the API is asked outside of any request')
  return tokens
}
