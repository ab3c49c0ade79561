import type { Permission } from '@burgee/contract'
import { ApiError, describeNetworkError } from '@burgee/contract/client'
import { escapeInvisibleCharacters, formatIssues } from '@burgee/kit/text'
import { SignInError } from '@burgee/sign-in'
import { z } from 'zod'
import { ToolError, type ToolErrorType } from './toolError.ts'

/** A failed call as assistants receive it: see docs/reference/tools.md. */
export interface ToolFailure {
  readonly errorType: ToolErrorType
  readonly errorMessage: string
  readonly toolName: string
  readonly suggestions: readonly string[]
  /** ISO 8601. */
  readonly timestamp: string
}

interface FailureContext {
  readonly toolName: string
  readonly now: number
  /** The scopes of the caller's token; absent without OAuth. */
  readonly scopes?: readonly string[] | undefined
}

/** Converts any error of a tool. */
export function toToolFailure(error: unknown, { toolName, now, scopes }: FailureContext): ToolFailure {
  const errorType = errorTypeOf(error)
  const message = messageOf(error)
  const permission = error instanceof ApiError || error instanceof ToolError ? error.missingPermission : undefined
  const isOutsideScopes = permission !== undefined && scopes?.includes(permission) === false
  return {
    errorType,
    errorMessage: escapeInvisibleCharacters(message),
    toolName,
    suggestions: isOutsideScopes ? suggestGrant(permission) : suggestionsFor(errorType, error, toolName),
    timestamp: new Date(now).toISOString()
  }
}

function suggestGrant(permission: Permission): readonly string[] {
  return [`The token lacks the scope ${permission}: ask the person to reconnect this server and grant it.`]
}

function errorTypeOf(error: unknown): ToolErrorType {
  if (error instanceof ToolError) return error.type
  if (error instanceof SignInError) return 'AUTHENTICATION_ERROR'
  if (error instanceof ApiError) return errorTypeOfStatus(error)
  if (isMalformedResponse(error)) return 'SCHEMA_VALIDATION_ERROR'
  return isNetworkError(error) ? 'NETWORK_ERROR' : 'UNKNOWN_ERROR'
}

/** Considers only the status: the message can contain user-supplied text. */
function errorTypeOfStatus({ operation, status }: ApiError): ToolErrorType {
  // The token endpoint returns 400 for an unknown client.
  if (operation === 'token' && status === 400) return 'AUTHENTICATION_ERROR'
  // Every Burgee server has a token endpoint.
  if (operation === 'token' && status === 404) return 'SCHEMA_VALIDATION_ERROR'
  // Redirects are not followed: the configured address is wrong.
  if (status < 400) return 'NETWORK_ERROR'
  if (status >= 500) return 'UNKNOWN_ERROR'
  return byStatus[status] ?? 'VALIDATION_ERROR'
}

const byStatus: Readonly<Record<number, ToolErrorType>> = {
  401: 'AUTHENTICATION_ERROR',
  403: 'PERMISSION_ERROR',
  404: 'RESOURCE_NOT_FOUND',
  408: 'NETWORK_ERROR',
  429: 'RATE_LIMIT_ERROR'
}

/** Whether `fetch` failed: with a `TypeError` when the connection broke, and with an abort or a timeout. */
export function isNetworkError(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  const isFromFetch = error instanceof TypeError && /^(fetch failed|terminated)$/.test(error.message)
  return isFromFetch || /^(Abort|Timeout)Error$/.test(error.name)
}

/** Whether the token endpoint returned something unexpected; other responses are validated by the API client. */
export function isMalformedResponse(error: unknown): error is z.ZodError | SyntaxError {
  return error instanceof z.ZodError || error instanceof SyntaxError
}

/** Returns the message of an error, preferably from the response. */
export function messageOf(error: unknown): string {
  if (error instanceof ApiError) {
    return isHtml(error.body)
      ? `${error.operation} returned ${error.status} with HTML`
      : (error.detail ?? textOf(error.body) ?? error.message)
  }
  if (isMalformedResponse(error)) {
    const reasons = error instanceof SyntaxError ? error.message : formatIssues(error, undefined, 'response').join('; ')
    return `the token endpoint does not respond like a Burgee server: ${reasons}`
  }
  if (!(error instanceof Error)) return typeof error === 'string' ? error : (JSON.stringify(error) ?? 'Unknown error')
  const reason = describeNetworkError(error)
  return reason === undefined ? error.message : `the Burgee server ${reason}`
}

/** Whether a body is HTML, as proxies return it. */
export function isHtml(body: unknown): boolean {
  return typeof body === 'string' && body.trimStart().startsWith('<')
}

function textOf(body: unknown): string | undefined {
  return typeof body === 'string' ? body.slice(0, 500) || undefined : undefined
}

function suggestionsFor(type: ToolErrorType, error: unknown, toolName: string): readonly string[] {
  if (type === 'VALIDATION_ERROR' && /^(create|update)_feature$/.test(toolName))
    return [...suggestions[type], 'get_feature shows an existing feature as an example.']
  if (error instanceof ApiError && error.errorType === 'ERR_APPROVAL_REQUIRED') return approvalSuggestions
  const seconds = error instanceof ApiError || error instanceof ToolError ? error.retryAfter : undefined
  const isUnavailable = error instanceof ApiError && [502, 503, 504].includes(error.status)
  if (type !== 'RATE_LIMIT_ERROR' && !isUnavailable) return suggestions[type]
  return [
    seconds === undefined ? 'Wait a minute and try again.' : `Wait ${seconds} seconds and try again.`,
    ...(isUnavailable ? ['If it persists, contact the operator of the Burgee server.'] : suggestions[type])
  ]
}

const approvalSuggestions: readonly string[] = [
  'Show the message to the person: it names the change request to create, which other people review.',
  'Only the person can decide to apply it in an emergency, not an assistant.'
]

const suggestions: Readonly<Record<ToolErrorType, readonly string[]>> = {
  AUTHENTICATION_ERROR: [
    'Locally: sign in again with "burgee-mcp login", or check SERVICE_CLIENT_ID and SERVICE_CLIENT_SECRET.',
    'Remotely: ask the person to reconnect this server, which signs them in again.',
    'Check that the token has not expired, and that SERVICE_API_URL is the server that issued it.'
  ],
  PERMISSION_ERROR: [
    'Name the missing permission to the person; an administrator of the organization can grant it.',
    'Check that the account has access to this project.'
  ],
  RESOURCE_NOT_FOUND: [
    'Check the spelling of the key: list_features and list_variables list what exists.',
    'Check that it is in the selected project, and that the environment exists there.'
  ],
  VALIDATION_ERROR: ['Correct the values that the message names, and call the tool again.'],
  SCHEMA_VALIDATION_ERROR: [
    'Check that SERVICE_API_URL is the address of a Burgee server, and that it has the same version as this tool server.',
    'Try again later; if it persists, contact the operator of the server.'
  ],
  RATE_LIMIT_ERROR: ['Make fewer calls: request larger pages, and reuse results.'],
  NETWORK_ERROR: [
    'Check that the Burgee server is running, and that SERVICE_API_URL is its address.',
    'Check the connection, proxies and firewalls, then try again.'
  ],
  PROJECT_ERROR: [
    'Call select_project without arguments to list the projects, and let the person choose.',
    'Or pass projectKey with the call.',
    'Check that the account has access to the project.'
  ],
  UNKNOWN_ERROR: []
}
