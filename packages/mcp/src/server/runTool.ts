import { ApiError } from '@burgee/contract/client'
import { formatIssues, suggestProperty } from '@burgee/kit/text'
import type {
  CallToolResult,
  InputRequiredResult,
  McpServer,
  RequestStateCodec,
  ServerContext
} from '@modelcontextprotocol/server'
import { rateLimit } from '../access/rateLimit.ts'
import type { Call } from '../api/call.ts'
import { assistantName } from '../api/clientInfo.ts'
import { dashboardLink } from '../api/dashboardLink.ts'
import { openCall } from '../api/openCall.ts'
import { confirm } from '../confirmation/confirm.ts'
import { createReplayGuard, createSharedReplayGuard, type ReplayGuard } from '../confirmation/replayGuard.ts'
import type { SignedConfirmation } from '../confirmation/requestState.ts'
import { type Outcome, withElicitation } from '../confirmation/withElicitation.ts'
import type { Caller, McpServerContext } from '../connection/context.ts'
import type { Arguments } from '../definitions/toolDefinition.ts'
import { toCallToolResult, toErrorResult } from '../results/callToolResult.ts'
import { ToolError } from '../results/toolError.ts'
import { messageOf, toToolFailure } from '../results/toolFailure.ts'
import type { ToolOutput } from '../results/toolOutput.ts'
import type { Tool } from '../tool.ts'

/** The connection and the request that a tool is called with. */
export interface ToolCallContext {
  readonly context: McpServerContext
  readonly caller: Caller
  readonly server: McpServer
  readonly states: RequestStateCodec<SignedConfirmation>
  readonly request: ServerContext
}

/** Calls a tool. Never throws: failures become error results. */
export async function runTool(
  tool: Tool,
  given: Arguments,
  toolCall: ToolCallContext
): Promise<CallToolResult | InputRequiredResult> {
  const { context, caller, request } = toolCall
  const { log, now } = context
  const startedAt = now()
  const subject = { tool: tool.name, caller: caller.id, assistant: assistantName(toolCall) }
  // The confirmation token is a credential, so it is not logged.
  const { confirmationToken: _, ...logged } = given
  log.debug({ ...subject, arguments: logged }, 'tool called')
  try {
    await rateLimit(context, caller)
    const { result, isHeld } = await withElicitation(
      (request, canElicit) => callTool(tool, given, { ...toolCall, request }, canElicit),
      toolCall
    )
    log.info({ ...subject, ms: now() - startedAt }, isHeld ? 'tool waits for confirmation' : 'tool call completed')
    return result
  } catch (error) {
    const { scopes } = request.http?.authInfo ?? {}
    const failure = toToolFailure(error, { toolName: tool.name, now: now(), scopes })
    const { errorType, errorMessage } = failure
    log.info({ ...subject, ms: now() - startedAt, errorType, errorMessage }, 'tool failed')
    if (errorType === 'UNKNOWN_ERROR') log.error({ ...subject, err: error }, 'tool failed unexpectedly')
    return toErrorResult(failure)
  }
}

async function callTool(
  tool: Tool,
  given: Arguments,
  { context, caller, request, states, server }: ToolCallContext,
  canElicit: boolean
): Promise<Outcome> {
  const { settings, now } = context
  const { confirmationToken: token, ...withoutToken } = given
  const isConfirmed = tool.preview !== undefined && settings.confirm !== 'never'
  const args = parse(tool, isConfirmed ? withoutToken : given)
  const assistant = assistantName({ server, request })
  const signal = request.mcpReq.signal
  const call = openCall({ context, caller, toolName: tool.name, assistant, signal }, args.projectKey)
  try {
    const plan = isConfirmed ? await tool.preview?.(args, call) : undefined
    if (plan?.unchanged && plan.changes.length === 0) return await finish(plan.unchanged, call)
    if (plan) {
      const held = await confirm({
        toolName: tool.name,
        args,
        token,
        plan,
        project: call.project(),
        mode: settings.confirm,
        states,
        replayGuard: replayGuardOf(context),
        request,
        canElicit,
        now: now()
      })
      if (held) return { result: held, isHeld: true }
    }
    return await finish(await tool.run(args, call), call)
  } catch (error) {
    throw (await isProjectMissing(error, call))
      ? new ToolError('PROJECT_ERROR', messageOf(error), { cause: error })
      : error
  }
}

/** All connections of a tool server share one guard, and so do several servers with shared claims. */
function replayGuardOf(context: McpServerContext): ReplayGuard {
  const { claim } = context
  const guard = replayGuards.get(context) ?? (claim ? createSharedReplayGuard(claim) : createReplayGuard())
  replayGuards.set(context, guard)
  return guard
}

const replayGuards = new WeakMap<McpServerContext, ReplayGuard>()

async function finish(output: ToolOutput, call: Call): Promise<Outcome> {
  const link = 'result' in output ? await dashboardLink(output.dashboardPage, call) : undefined
  return { result: toCallToolResult(output, link), isHeld: false }
}

function parse(tool: Tool, given: Arguments): Readonly<Record<string, unknown>> {
  const result = tool.input.safeParse(given)
  if (result.success) return result.data
  const issues = formatIssues(result.error, given, 'arguments')
  throw new ToolError(
    'VALIDATION_ERROR',
    issues.map((issue) => `${issue}${suggestProperty(issue, tool.input)}`).join('; ')
  )
}

/** Whether a 404 means that the project itself does not exist. */
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
