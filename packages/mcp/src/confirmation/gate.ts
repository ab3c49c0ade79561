import { randomUUID } from 'node:crypto'
import { isProtected } from '@burgee/contract/schemas'
import {
  type CallToolResult,
  type InputRequiredResult,
  inputRequired,
  inputResponse,
  type RequestStateCodec,
  type ServerContext
} from '@modelcontextprotocol/server'
import { envelope } from '../answers/envelope.ts'
import { ToolError } from '../answers/toolError.ts'
import { quoted } from '../quoted.ts'
import type { ConfirmMode } from '../settings.ts'
import { digest } from './digest.ts'
import type { Effect } from './effect.ts'
import { leftOut, question } from './question.ts'
import { type Asked, CONFIRMATION_SECONDS, type Sealed } from './requestStates.ts'
import type { SpentTokens } from './spentTokens.ts'
import { tokenAnswer } from './tokenAnswer.ts'

/** A call that may have to be confirmed before it is done. */
export interface Gated {
  readonly toolName: string
  /** As parsed; without the token. */
  readonly args: Readonly<Record<string, unknown>>
  /** The key of the project that it is about. */
  readonly project: string
  /** What an earlier answer gave out. */
  readonly token: unknown
  readonly effect: Effect
  readonly confirm: ConfirmMode
  readonly states: RequestStateCodec<Sealed>
  readonly spent: SpentTokens
  readonly context: ServerContext
  /** Whether the client can ask the person. */
  readonly canElicit: boolean
  readonly now: number
}

/**
 * Holds a call back until somebody has said yes to exactly what it would do (`mcp.md` §2.4). Where the client can, the
 * person is asked; where it cannot, the answer has what would change and a token, and the call is done when it comes again
 * with that. Answers nothing when the call may go on.
 * @throws {ToolError} when the token is not one for this call, or when there is more than a question can show.
 */
export async function gate(gated: Gated): Promise<CallToolResult | InputRequiredResult | undefined> {
  const { toolName, args, project, token, effect, confirm, states, context, canElicit, now } = gated
  if (!needsConfirmation(effect, confirm)) return undefined
  const { summary, changes, environments, basis } = effect
  const call = {
    tool: toolName,
    project,
    args: digest(args),
    effect: digest({ summary, changes, environments, basis })
  }
  if (token !== undefined) {
    await demandToken(token, { by: 'token', ...call }, gated)
    return undefined
  }
  demandShown(effect)
  if (!canElicit) {
    const confirmationToken = await states.mint({ id: randomUUID(), by: 'token', ...call }, context)
    return tokenAnswer(toolName, effect, { confirmationToken, expiresAt: now + CONFIRMATION_SECONDS * 1000 })
  }
  const asked: Asked = { by: 'question', ...call }
  const said = inputResponse(context.mcpReq.inputResponses, CONFIRM)
  if (said.kind === 'elicit') {
    if (!isYes(effect, said)) return declined(effect)
    if (isFirstYes(context.mcpReq.requestState<Sealed>(), asked, gated)) return undefined
  }
  // Nobody has said yes to this: they were not asked yet, or what it would do is another thing by now.
  const inputRequests = { [CONFIRM]: inputRequired.elicit(question(effect)) }
  return inputRequired({ inputRequests, requestState: await states.mint({ id: randomUUID(), ...asked }, context) })
}

/** What the one question is called that is asked. */
export const CONFIRM = 'confirm'

function needsConfirmation({ environments, deletes }: Effect, confirm: ConfirmMode): boolean {
  if (confirm === 'never') return false
  return confirm === 'always' || deletes !== undefined || environments.some(isProtected)
}

/** What decides could stand behind what is shown. */
function demandShown(effect: Effect): void {
  const left = effect.isToldByChanges && effect.environments.some(isProtected) ? leftOut(effect) : 0
  if (left === 0) return
  throw new ToolError(
    'VALIDATION_ERROR',
    `this changes more in production than one question can show (${effect.changes.length} changes, ${left} of them too many or too long): make it in smaller steps, one call for each`
  )
}

async function demandToken(token: unknown, asked: Asked, gated: Gated): Promise<void> {
  const { states, context } = gated
  const again = 'call the tool again without confirmationToken, and show the person what it answers'
  if (typeof token !== 'string') {
    throw new ToolError('VALIDATION_ERROR', `confirmationToken should be a text: ${again}`)
  }
  const held = await states.verify(token, context).catch((error) => {
    const isLate = error instanceof Error && error.message === 'expired'
    const why = isLate ? `is older than ${CONFIRMATION_SECONDS / 60} minutes` : 'is not one that this caller was given'
    throw new ToolError('VALIDATION_ERROR', `confirmationToken ${why}: ${again}`, { cause: error })
  })
  if (isFirstYes(held, asked, gated)) return
  const isSameCall = isSame({ ...held, effect: asked.effect }, asked)
  const why = isSameCall
    ? 'is for a call that would do something else by now, or was used before'
    : 'is for another tool, project or arguments'
  throw new ToolError('VALIDATION_ERROR', `confirmationToken ${why}: ${again}`)
}

/** Whether what was said yes to is this, and is not done yet. */
function isFirstYes(held: Sealed | undefined, asked: Asked, { spent, now }: Pick<Gated, 'spent' | 'now'>): boolean {
  return held !== undefined && isSame(held, asked) && spent.spend(held.id, now)
}

/** Whether the person said yes, and of what is deleted also its key. */
function isYes(
  { deletes }: Effect,
  { action, content }: { readonly action: string; readonly content?: Record<string, unknown> }
): boolean {
  if (action !== 'accept' || content?.confirm !== true) return false
  return deletes === undefined || (typeof content.key === 'string' && content.key.trim() === deletes)
}

function declined({ deletes }: Effect): CallToolResult {
  const key = deletes === undefined ? '' : `, or did not type its key, ${quoted(deletes)}`
  return envelope({ result: { message: `Nothing was changed: the person did not say yes${key}.` } })
}

function isSame({ id: _, ...one }: Asked & Partial<Sealed>, other: Asked): boolean {
  return digest(one) === digest(other)
}
