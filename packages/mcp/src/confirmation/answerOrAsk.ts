import {
  type CallToolResult,
  type ElicitRequestFormParams,
  type InputRequiredResult,
  isInputRequiredResult,
  type McpServer,
  type RequestStateCodec,
  type ServerContext
} from '@modelcontextprotocol/server'
import { asksByItself, canElicit } from '../api/connection.ts'
import { CONFIRM } from './gate.ts'
import { CONFIRMATION_SECONDS, type Sealed } from './requestStates.ts'

/** What comes of a call: it is done, or held back until somebody says yes. */
export interface Outcome {
  readonly answer: CallToolResult | InputRequiredResult
  readonly isHeld: boolean
}

interface Asking {
  readonly server: McpServer
  readonly states: RequestStateCodec<Sealed>
  readonly context: ServerContext
}

/** How often somebody is asked again because something else would happen by now. */
const ROUNDS = 8

/**
 * Calls a tool as the revision of the client has it. A client of an older one is sent the question, and the call is made
 * again with what the person said; when asking does not work out, as if it could not ask, so that there is a way by token.
 */
export async function answerOrAsk(
  call: (context: ServerContext, isAskable: boolean) => Promise<Outcome>,
  asking: Asking
): Promise<Outcome> {
  const { context } = asking
  let outcome = await call(context, canElicit(asking))
  for (let round = 0; isInputRequiredResult(outcome.answer) && !asksByItself(asking); round++) {
    const said = round < ROUNDS ? await ask(outcome.answer, asking) : undefined
    context.mcpReq.signal.throwIfAborted()
    outcome = await call(said ?? context, said !== undefined)
  }
  return outcome
}

/** The context of the call that has what the person said; nothing when they could not be asked. */
async function ask(
  { inputRequests, requestState = '' }: InputRequiredResult,
  { server, states, context }: Asking
): Promise<ServerContext | undefined> {
  const { mcpReq } = context
  // What is asked is always the one form that the gate asks.
  const form = inputRequests?.[CONFIRM]?.params as ElicitRequestFormParams
  try {
    const said = await server.server.request(
      { method: 'elicitation/create', params: { ...form, mode: 'form' } },
      {
        relatedRequestId: mcpReq.id,
        signal: mcpReq.signal,
        // Nobody is waited for longer than their yes would hold.
        timeout: CONFIRMATION_SECONDS * 1000
      }
    )
    const held = await states.verify(requestState, context)
    const requestStateOf = <T>() => held as T
    return { ...context, mcpReq: { ...mcpReq, inputResponses: { [CONFIRM]: said }, requestState: requestStateOf } }
  } catch {
    return undefined
  }
}
