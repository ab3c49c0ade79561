import { type Permission, permissions } from '@burgee/contract'
import { ApiError } from '@burgee/contract/client'
import { escapeInvisibleCharacters, formatIssues } from '@burgee/kit/text'
import { z } from 'zod'
import { type ErrorType, ToolError } from './toolError.ts'

/** A failed call, as the assistant is told of it (specification 3, "Errors"). */
export interface Failure {
  readonly errorType: ErrorType
  readonly errorMessage: string
  readonly toolName: string
  readonly suggestions: readonly string[]
  /** ISO 8601. */
  readonly timestamp: string
}

/** Where something went wrong. */
interface Circumstances {
  readonly toolName: string
  readonly now: number
  /** All that the caller's token allows; absent where nothing limits it. */
  readonly scopes?: readonly string[] | undefined
}

/** Turns whatever went wrong in a tool into what the assistant is told (`mcp.md` §1.1). */
export function failureOf(error: unknown, { toolName, now, scopes }: Circumstances): Failure {
  const errorType = typeOf(error)
  const said = messageOf(error)
  const heldBack = errorType === 'PERMISSION_ERROR' ? heldBackIn(said, scopes) : undefined
  return {
    errorType,
    errorMessage: escapeInvisibleCharacters(said),
    toolName,
    suggestions: heldBack ? toGrant(heldBack) : suggestionsFor(errorType, error),
    timestamp: new Date(now).toISOString()
  }
}

/** The permission that the API missed, where it is the token that leaves it out. */
function heldBackIn(message: string, scopes: Circumstances['scopes']): Permission | undefined {
  return permissions.find((name) => message.endsWith(`the permission ${name}`) && scopes?.includes(name) === false)
}

function toGrant(permission: Permission): readonly string[] {
  return [
    `The person has not allowed this program ${permission}: have them reconnect this server and allow it, which takes nobody else.`
  ]
}

function typeOf(error: unknown): ErrorType {
  if (error instanceof ToolError) return error.type
  if (error instanceof ApiError) return typeOfStatus(error)
  if (isOfOtherForm(error)) return 'SCHEMA_VALIDATION_ERROR'
  return isOfNetwork(error) ? 'NETWORK_ERROR' : 'UNKNOWN_ERROR'
}

/** By the status alone: words of a message can come from a key that somebody chose. */
function typeOfStatus({ operation, status }: ApiError): ErrorType {
  // A client that is not known is a bad request to an authorization server.
  if (operation === 'token' && status === 400) return 'AUTHENTICATION_ERROR'
  // A server that gives no tokens is none of Burgee's.
  if (operation === 'token' && status === 404) return 'SCHEMA_VALIDATION_ERROR'
  // Redirects are not followed: the address is not that of the server.
  if (status < 400) return 'NETWORK_ERROR'
  if (status >= 500) return 'UNKNOWN_ERROR'
  return byStatus[status] ?? 'VALIDATION_ERROR'
}

const byStatus: Readonly<Record<number, ErrorType>> = {
  401: 'AUTHENTICATION_ERROR',
  403: 'PERMISSION_ERROR',
  404: 'RESOURCE_NOT_FOUND',
  408: 'NETWORK_ERROR',
  429: 'RATE_LIMIT_ERROR'
}

/**
 * `fetch` fails with a TypeError whose cause says how the connection did, before an answer or in the middle of it; and with
 * these two when somebody did not wait.
 */
export function isOfNetwork(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  const isFromFetch = error instanceof TypeError && /^(fetch failed|terminated)$/.test(error.message)
  return isFromFetch || /^(Abort|Timeout)Error$/.test(error.name)
}

/** Answers of the API are held against the contract, and say so themselves; what is left is what gives tokens. */
export function isOfOtherForm(error: unknown): error is z.ZodError | SyntaxError {
  return error instanceof z.ZodError || error instanceof SyntaxError
}

/** What the API said of it, or else the error. */
export function messageOf(error: unknown): string {
  if (error instanceof ApiError) {
    return isPage(error.body)
      ? `${error.operation} answered ${error.status} with a page`
      : (saidIn(error.body) ?? error.message)
  }
  if (isOfOtherForm(error)) {
    const reasons = error instanceof SyntaxError ? error.message : formatIssues(error, undefined, 'answer').join('; ')
    return `the server gives no tokens as Burgee does: ${reasons}`
  }
  if (!(error instanceof Error)) return typeof error === 'string' ? error : (JSON.stringify(error) ?? 'Unknown error')
  const { cause } = error
  if (!isOfNetwork(error) || !(cause instanceof Error)) return error.message
  // A name with several addresses fails with one error for each, and says nothing itself.
  const reasons =
    cause instanceof AggregateError ? cause.errors.map((one) => String(one?.message ?? one)) : [cause.message]
  return `the Burgee server cannot be reached: ${reasons.join('; ')}`
}

/** Whether an answer is HTML, which says nothing to an assistant. */
export function isPage(body: unknown): boolean {
  return typeof body === 'string' && body.trimStart().startsWith('<')
}

function saidIn(body: unknown): string | undefined {
  if (typeof body === 'string') return body.slice(0, 500) || undefined
  if (typeof body !== 'object' || body === null) return undefined
  const { message, error_description: description, error, detail } = body as Readonly<Record<string, unknown>>
  const said = message ?? description ?? error ?? detail
  if (Array.isArray(said)) return said.map(String).join('; ')
  if (typeof said === 'object' && said !== null) return Object.values(said).map(String).join('; ')
  return said === undefined ? undefined : String(said)
}

function suggestionsFor(type: ErrorType, error: unknown): readonly string[] {
  const seconds = error instanceof ApiError || error instanceof ToolError ? error.retryAfter : undefined
  const isAway = error instanceof ApiError && [502, 503, 504].includes(error.status)
  if (type !== 'RATE_LIMIT_ERROR' && !isAway) return suggestions[type]
  return [
    seconds === undefined ? 'Wait a minute and try again.' : `Wait ${seconds} seconds and try again.`,
    ...(isAway ? ['If it goes on, tell whoever runs the Burgee server.'] : suggestions[type])
  ]
}

const suggestions: Readonly<Record<ErrorType, readonly string[]>> = {
  AUTHENTICATION_ERROR: [
    'Locally: sign in again with "burgee-mcp login", or check SERVICE_CLIENT_ID and SERVICE_CLIENT_SECRET.',
    'Remotely: have the person reconnect this server, which signs them in again.',
    'Check that the token has not expired, and that SERVICE_API_URL is the server that issued it.'
  ],
  PERMISSION_ERROR: [
    'Tell the person which permission is missing; somebody who administers the organization can grant it.',
    'Check that the account has access to this project.'
  ],
  RESOURCE_NOT_FOUND: [
    'Check the key for typing mistakes: list_features and list_variables show what there is.',
    'Check that it is in the selected project, and that the environment exists there.'
  ],
  VALIDATION_ERROR: [
    'Correct the values that the message names, and call the tool again.',
    'The message says what would be right; list_features shows how features that are there look.'
  ],
  SCHEMA_VALIDATION_ERROR: [
    'Check that SERVICE_API_URL is the address of a Burgee server, and that it has the same version as this tool server.',
    'Try again later; if it goes on, tell whoever runs the server.'
  ],
  RATE_LIMIT_ERROR: ['Make fewer calls: ask for larger pages, and keep what was read.'],
  NETWORK_ERROR: [
    'Check that the Burgee server runs, and that SERVICE_API_URL is its address.',
    'Check the connection, proxies and firewalls, then try again.'
  ],
  PROJECT_ERROR: [
    'Call select_project without arguments to list the projects, and let the person choose.',
    'Or pass projectKey with the call.',
    'Check that the account has access to the project.'
  ],
  UNKNOWN_ERROR: []
}
