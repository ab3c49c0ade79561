import { ApiError } from '@burgee/contract/client'
import { formatIssues } from '@burgee/kit/text'
import type {
  CallToolResult,
  InputRequiredResult,
  McpServer,
  RequestStateCodec,
  ServerContext
} from '@modelcontextprotocol/server'
import type { Answer } from './answers/answer.ts'
import { envelope, failed } from './answers/envelope.ts'
import { failureOf, messageOf } from './answers/failure.ts'
import { ToolError } from './answers/toolError.ts'
import type { Call } from './api/call.ts'
import { assistantIn } from './api/connection.ts'
import { dashboardLink } from './api/dashboardLink.ts'
import { openCall } from './api/openCall.ts'
import { answerOrAsk, type Outcome } from './confirmation/answerOrAsk.ts'
import { gate } from './confirmation/gate.ts'
import type { Sealed } from './confirmation/requestStates.ts'
import { createSpentTokens, type SpentTokens } from './confirmation/spentTokens.ts'
import { demandRate } from './demandRate.ts'
import type { Arguments } from './listing/listing.ts'
import type { Caller, Service } from './service.ts'
import type { Tool } from './tool.ts'

/** Where a tool is called: by whom, over which connection. */
export interface Place {
  readonly service: Service
  readonly caller: Caller
  readonly server: McpServer
  readonly states: RequestStateCodec<Sealed>
  readonly context: ServerContext
}

/** Calls a tool with what came in. It never throws: what goes wrong is an answer too. */
export async function runTool(
  tool: Tool,
  given: Arguments,
  place: Place
): Promise<CallToolResult | InputRequiredResult> {
  const { service } = place
  const begun = service.now()
  const told = { tool: tool.name, caller: place.caller.id, assistant: assistantIn(place) }
  // The token of a confirmation is a secret between the two ends.
  const { confirmationToken: _, ...shown } = given
  service.log.debug({ ...told, arguments: shown }, 'tool called')
  try {
    await demandRate(service, place.caller)
    const { answer, isHeld } = await answerOrAsk(
      (context, isAskable) => callTool(tool, given, { ...place, context }, isAskable),
      place
    )
    service.log.info({ ...told, ms: service.now() - begun }, isHeld ? 'tool held back' : 'tool answered')
    return answer
  } catch (error) {
    const { scopes } = place.context.http?.authInfo ?? {}
    const failure = failureOf(error, { toolName: tool.name, now: service.now(), scopes })
    const { errorType, errorMessage } = failure
    const isOurs = errorType === 'UNKNOWN_ERROR'
    service.log.info({ ...told, ms: service.now() - begun, errorType, errorMessage }, 'tool failed')
    if (isOurs) service.log.error({ ...told, err: error }, 'tool failed unexpectedly')
    return failed(failure)
  }
}

async function callTool(
  tool: Tool,
  given: Arguments,
  { service, caller, context, states, server }: Place,
  isAskable: boolean
): Promise<Outcome> {
  const { settings } = service
  const { confirmationToken: token, ...own } = given
  const isConfirmed = tool.preview !== undefined && settings.confirm !== 'never'
  const args = parse(tool, isConfirmed ? own : given)
  const assistant = assistantIn({ server, context })
  const occasion = { service, caller, toolName: tool.name, assistant, signal: context.mcpReq.signal }
  const call = openCall(occasion, args.projectKey)
  try {
    const effect = isConfirmed ? await tool.preview?.(args, call) : undefined
    if (effect) {
      const { unchanged, changes } = effect
      if (unchanged && changes.length === 0) return done(unchanged, call)
      const asked = { toolName: tool.name, args, token, effect, project: call.project(), confirm: settings.confirm }
      const place = { states, spent: spentOf(service), context, canElicit: isAskable, now: service.now() }
      const held = await gate({ ...asked, ...place })
      if (held) return { answer: held, isHeld: true }
    }
    return await done(await tool.run(args, call), call)
  } catch (error) {
    throw (await isProjectMissing(error, call))
      ? new ToolError('PROJECT_ERROR', messageOf(error), { cause: error })
      : error
  }
}

/** All connections to a service have this in common. */
function spentOf(service: Service): SpentTokens {
  const spent = spentOn.get(service) ?? createSpentTokens()
  spentOn.set(service, spent)
  return spent
}

const spentOn = new WeakMap<Service, SpentTokens>()

async function done(answer: Answer, call: Call): Promise<Outcome> {
  const link = 'result' in answer ? await dashboardLink(answer.dashboardPage, call) : undefined
  return { answer: envelope(answer, link), isHeld: false }
}

function parse(tool: Tool, given: Arguments): Readonly<Record<string, unknown>> {
  const result = tool.input.safeParse(given)
  if (result.success) return result.data
  throw new ToolError('VALIDATION_ERROR', formatIssues(result.error, given, 'arguments').join('; '))
}

/** Whether it is the project that is not there, of all that a call is about. */
async function isProjectMissing(
  error: unknown,
  { client, project }: Pick<Call, 'client' | 'project'>
): Promise<boolean> {
  if (!(error instanceof ApiError) || error.status !== 404 || error.operation === 'token') return false
  if (error.operation === 'getProject') return true
  return client.getProject({ params: { key: project() } }).then(
    () => false,
    (reason) => reason instanceof ApiError && reason.status === 404
  )
}
