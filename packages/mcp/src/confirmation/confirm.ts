import { createHash, randomUUID } from 'node:crypto'
import { isProtected } from '@burgee/contract/schemas'
import {
  type CallToolResult,
  type ElicitInputParams,
  type InputRequiredResult,
  inputRequired,
  inputResponse,
  type RequestStateCodec,
  type ServerContext
} from '@modelcontextprotocol/server'
import stringify from 'fast-json-stable-stringify'
import type { Plan } from '../plan/plan.ts'
import { toCallToolResult } from '../results/callToolResult.ts'
import { formatQuoted } from '../results/formatQuoted.ts'
import { ToolError } from '../results/toolError.ts'
import type { ConfirmMode } from '../settings/toolSettings.ts'
import { countOmitted, formatPlan } from './formatPlan.ts'
import type { ReplayGuard } from './replayGuard.ts'
import { CONFIRMATION_SECONDS, type ConfirmationState, type SignedConfirmation } from './requestState.ts'
import { toTokenResult } from './tokenResult.ts'

/** A call that may need a confirmation. */
export interface Confirmable {
  readonly toolName: string
  /** The parsed arguments, without the token. */
  readonly args: Readonly<Record<string, unknown>>
  /** The key of the project. */
  readonly project: string
  /** The `confirmationToken` of the call. */
  readonly token: unknown
  readonly plan: Plan
  readonly mode: ConfirmMode
  readonly states: RequestStateCodec<SignedConfirmation>
  readonly replayGuard: ReplayGuard
  readonly request: ServerContext
  /** Whether the client can ask the person. */
  readonly canElicit: boolean
  readonly now: number
}

/**
 * Requires confirmation of exactly this plan before a call proceeds (docs/reference/tools.md). If the client supports
 * elicitation, the result requests it. Otherwise the result contains the plan and a token, with which the client repeats
 * the call, unless the mode is `elicitation`. Returns `undefined` if the call can proceed.
 * @throws {ToolError} if the token does not match this call, if the mode is `elicitation` and the client does not support
 * it, or if the plan is too long to be shown in full.
 */
export async function confirm(call: Confirmable): Promise<CallToolResult | InputRequiredResult | undefined> {
  const { toolName, args, project, token, plan, mode, states, request, canElicit, now } = call
  if (!needsConfirmation(plan, mode)) return undefined
  const { summary, changes, environments, version } = plan
  const subject = {
    tool: toolName,
    project,
    args: digest(args),
    plan: digest({ summary, changes, environments, version })
  }
  if (mode === 'elicitation') assertElicitation(call)
  if (token !== undefined) {
    await assertToken(token, { by: 'token', ...subject }, call)
    return undefined
  }
  assertFullDiffShown(plan)
  if (!canElicit) {
    const confirmationToken = await states.mint({ id: randomUUID(), by: 'token', ...subject }, request)
    return toTokenResult(toolName, plan, { confirmationToken, expiresAt: now + CONFIRMATION_SECONDS * 1000 })
  }
  const expected: ConfirmationState = { by: 'question', ...subject }
  const response = inputResponse(request.mcpReq.inputResponses, CONFIRM_REQUEST)
  if (response.kind === 'elicit') {
    if (!isAccepted(plan, response)) return toDeclinedResult(plan)
    if (await isFreshConfirmation(request.mcpReq.requestState<SignedConfirmation>(), expected, call)) return undefined
  }
  // The person has not been asked yet, or the plan has changed since.
  const inputRequests = { [CONFIRM_REQUEST]: inputRequired.elicit(createElicitation(plan)) }
  return inputRequired({ inputRequests, requestState: await states.mint({ id: randomUUID(), ...expected }, request) })
}

/**
 * Asserts that the person is asked. A token proves only that the assistant made the call twice.
 * @throws {ToolError} for a token, and when the client cannot ask.
 */
function assertElicitation({ token, canElicit }: Pick<Confirmable, 'token' | 'canElicit'>): void {
  if (token === undefined && canElicit) return
  const reason =
    token === undefined
      ? 'this program cannot ask the person (elicitation), or the person did not answer'
      : 'confirmationToken is not accepted: only the person can confirm'
  throw new ToolError(
    'VALIDATION_ERROR',
    `nothing was changed: ${reason}. This tool server confirms by elicitation only; use a program that supports it, or ask the operator of the tool server for another --confirm`
  )
}

/** The name of the only input request. */
export const CONFIRM_REQUEST = 'confirm'

function needsConfirmation({ environments, deletes }: Plan, mode: ConfirmMode): boolean {
  if (mode === 'never') return false
  return mode === 'always' || mode === 'elicitation' || deletes !== undefined || environments.some(isProtected)
}

/** Asserts that no change is omitted where production is affected. @throws {ToolError} */
function assertFullDiffShown(plan: Plan): void {
  const omitted = plan.needsFullDiff && plan.environments.some(isProtected) ? countOmitted(plan) : 0
  if (omitted === 0) return
  throw new ToolError(
    'VALIDATION_ERROR',
    `this changes more in production than one confirmation can show (${omitted} of ${plan.changes.length} changes do not fit): split it into smaller steps, one call each`
  )
}

async function assertToken(token: unknown, expected: ConfirmationState, call: Confirmable): Promise<void> {
  const { states, request } = call
  const advice = 'call the tool again without confirmationToken, and show the person the result'
  if (typeof token !== 'string') {
    throw new ToolError('VALIDATION_ERROR', `confirmationToken must be a string: ${advice}`)
  }
  const signed = await states.verify(token, request).catch((error) => {
    const isExpired = error instanceof Error && error.message === 'expired'
    const reason = isExpired ? `is older than ${CONFIRMATION_SECONDS / 60} minutes` : 'was not issued to this caller'
    throw new ToolError('VALIDATION_ERROR', `confirmationToken ${reason}: ${advice}`, { cause: error })
  })
  if (await isFreshConfirmation(signed, expected, call)) return
  const isSameCall = isSame({ ...signed, plan: expected.plan }, expected)
  const reason = isSameCall
    ? 'was used before, or the call would now have a different effect'
    : 'is for another tool, project or arguments'
  throw new ToolError('VALIDATION_ERROR', `confirmationToken ${reason}: ${advice}`)
}

/** Whether a confirmation matches, and has not been used. */
async function isFreshConfirmation(
  signed: SignedConfirmation | undefined,
  expected: ConfirmationState,
  { replayGuard, now }: Pick<Confirmable, 'replayGuard' | 'now'>
): Promise<boolean> {
  return signed !== undefined && isSame(signed, expected) && replayGuard.claim(signed.id, now)
}

/** Creates the confirmation form. A deletion also requires typing the key. */
export function createElicitation(plan: Plan): ElicitInputParams {
  const { deletes } = plan
  if (deletes === undefined) {
    const confirm = { type: 'boolean', title: 'Yes, make this change', default: false } as const
    return {
      message: formatPlan(plan),
      requestedSchema: { type: 'object', properties: { confirm }, required: ['confirm'] }
    }
  }
  const properties = {
    confirm: { type: 'boolean', title: 'Yes, delete it from every environment', default: false },
    key: { type: 'string', title: `Type its key to confirm: ${formatQuoted(deletes)}` }
  } as const
  return {
    message: `THIS CANNOT BE UNDONE.\n${formatPlan(plan)}`,
    requestedSchema: { type: 'object', properties, required: ['confirm', 'key'] }
  }
}

function isAccepted(
  { deletes }: Plan,
  { action, content }: { readonly action: string; readonly content?: Record<string, unknown> }
): boolean {
  if (action !== 'accept' || content?.confirm !== true) return false
  return deletes === undefined || (typeof content.key === 'string' && content.key.trim() === deletes)
}

function toDeclinedResult({ deletes }: Plan): CallToolResult {
  const key = deletes === undefined ? '' : `, or did not type the key ${formatQuoted(deletes)}`
  return toCallToolResult({ result: { message: `Nothing was changed: the person did not confirm${key}.` } })
}

function isSame({ id: _, ...one }: ConfirmationState & Partial<SignedConfirmation>, other: ConfirmationState): boolean {
  return digest(one) === digest(other)
}

/** Returns the SHA-256 of a value's JSON, regardless of the order of members. */
function digest(value: unknown): string {
  return createHash('sha256').update(stringify(value)).digest('base64url')
}
