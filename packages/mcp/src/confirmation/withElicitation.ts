import {
  type CallToolResult,
  type ElicitRequestFormParams,
  type InputRequiredResult,
  isInputRequiredResult,
  type McpServer,
  type RequestStateCodec,
  type ServerContext
} from '@modelcontextprotocol/server'
import { canElicit, handlesInputRequests } from '../api/clientInfo.ts'
import { CONFIRM_REQUEST } from './confirm.ts'
import { CONFIRMATION_SECONDS, type SignedConfirmation } from './requestState.ts'

/** The result of a call, or the request for input that must be answered first. */
export interface Outcome {
  readonly result: CallToolResult | InputRequiredResult
  /** The call waits for confirmation. */
  readonly isHeld: boolean
}

interface ElicitationContext {
  readonly server: McpServer
  readonly states: RequestStateCodec<SignedConfirmation>
  readonly request: ServerContext
}

/** The maximum number of elicitations per call. The person is asked again when the plan has changed meanwhile. */
const MAX_ROUNDS = 8

/**
 * Calls a tool as the protocol revision of the client requires. Clients of revision 2026-07-28 handle input requests
 * themselves. Others receive an elicitation, and the tool is called again with the response. If the elicitation fails,
 * the tool is called as for a client without elicitation, so that a token remains as a way to confirm.
 */
export async function withElicitation(
  call: (request: ServerContext, canElicit: boolean) => Promise<Outcome>,
  context: ElicitationContext
): Promise<Outcome> {
  const { request } = context
  let outcome = await call(request, canElicit(context))
  for (let round = 0; isInputRequiredResult(outcome.result) && !handlesInputRequests(context); round++) {
    const answered = round < MAX_ROUNDS ? await elicit(outcome.result, context) : undefined
    request.mcpReq.signal.throwIfAborted()
    outcome = await call(answered ?? request, answered !== undefined)
  }
  return outcome
}

/** Elicits a response. Returns the request with the response, or `undefined` if the elicitation failed. */
async function elicit(
  { inputRequests, requestState = '' }: InputRequiredResult,
  { server, states, request }: ElicitationContext
): Promise<ServerContext | undefined> {
  const { mcpReq } = request
  // `confirm` makes only this one request.
  const form = inputRequests?.[CONFIRM_REQUEST]?.params as ElicitRequestFormParams
  try {
    const response = await server.server.request(
      { method: 'elicitation/create', params: { ...form, mode: 'form' } },
      {
        relatedRequestId: mcpReq.id,
        signal: mcpReq.signal,
        // A later response would have expired.
        timeout: CONFIRMATION_SECONDS * 1000
      }
    )
    const signed = await states.verify(requestState, request)
    const verifiedState = <T>() => signed as T
    return {
      ...request,
      mcpReq: { ...mcpReq, inputResponses: { [CONFIRM_REQUEST]: response }, requestState: verifiedState }
    }
  } catch {
    return undefined
  }
}
