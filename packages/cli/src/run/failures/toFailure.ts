import { ApiError, describeNetworkError } from '@burgee/contract/client'
import { UsageError } from '@burgee/kit/settings'
import { escapeControlCharacters } from '@burgee/kit/text'
import { InvalidResponseError, SignInError } from '@burgee/sign-in'
import { type Suggest, suggestPlain } from '../../document/suggest.ts'
import {
  CommandError,
  FailedCommand,
  NotConfirmedError,
  NotFoundError,
  ResponseError,
  UnknownOutcomeError
} from './errors.ts'
import { exitCodes } from './exitCodes.ts'
import type { Failure } from './failure.ts'
import { describeFileError } from './fileErrors.ts'

/**
 * Converts any error of a command. Hints suggest commands with `suggest`.
 * @param source Where the credentials in use come from, if they are known.
 */
export function toFailure(error: unknown, suggest: Suggest = suggestPlain, source?: string): Failure {
  if (error instanceof FailedCommand) return error.failure
  if (error instanceof UsageError) return { code: 'USAGE', exit: exitCodes.usage, message: error.message }
  if (error instanceof CommandError) return toCommandFailure(error)
  if (error instanceof InvalidResponseError) return toInvalidResponse(error)
  if (error instanceof SignInError)
    return { code: 'NOT_SIGNED_IN', exit: exitCodes.credentials, message: error.message }
  if (error instanceof ResponseError) return toInvalidResponse(error)
  if (error instanceof ApiError) return toApiFailure(error, suggest, source)
  const problem = describeFileError(error)
  if (problem !== undefined) return { code: 'USAGE', exit: exitCodes.usage, message: problem }
  const reason = describeNetworkError(error)
  if (reason !== undefined) {
    return { code: 'UNREACHABLE', exit: exitCodes.unavailable, message: `the server ${reason}`, hint: UNREACHABLE }
  }
  const text = error instanceof Error ? (error.stack ?? error.message) : String(error)
  return { code: 'DEFECT', exit: exitCodes.defect, message: text }
}

function toCommandFailure(error: CommandError): Failure {
  const { message, hint } = error
  return { ...kindOf(error), message, ...(hint !== undefined && { hint }) }
}

function kindOf(error: CommandError): Kind {
  if (error instanceof NotFoundError) return byStatus[404]
  if (error instanceof NotConfirmedError) return { code: 'NOT_CONFIRMED', exit: exitCodes.unconfirmed }
  if (error instanceof UnknownOutcomeError) return { code: 'OUTCOME_UNKNOWN', exit: exitCodes.unavailable }
  return byStatus[409]
}

function toInvalidResponse({ message }: Error): Failure {
  return { code: 'UNEXPECTED_RESPONSE', exit: exitCodes.unavailable, message: shorten(message), hint: WRONG_SERVER }
}

/** Shortens a text of a server, which has any length. */
function shorten(text: string): string {
  return text.length > MAX_MESSAGE ? `${text.slice(0, MAX_MESSAGE)}…` : text
}

const MAX_MESSAGE = 2000

const WRONG_SERVER = 'Check that the address is that of a Burgee server, and that it has the version of this program.'
const UNREACHABLE = 'Check the address (--server, BURGEE_URL or the profile), the connection and proxies.'

function toApiFailure(error: ApiError, suggest: Suggest, source: string | undefined): Failure {
  const { operation, status, body, detail, errorType, issues } = error
  const isHtml = typeof body === 'string' && body.trimStart().startsWith('<')
  const isRedirect = typeof body === 'string' && status >= 300 && status < 400
  // Every Burgee server has a token endpoint, so the address has a wrong path.
  const hasNoTokens = operation === 'token' && (status === 404 || status === 405)
  if (hasNoTokens || (detail === undefined && (isHtml || status === 404 || status < 400))) {
    const message = `the server does not respond like a Burgee server: ${operation} returned ${status}${isHtml ? ' with HTML' : isRedirect ? `: ${body}` : ''}`
    return { ...toInvalidResponse(new ResponseError(message)), status, operation }
  }
  // The token endpoint returns 400 for unknown clients.
  const isRefused = status === 401 || (operation === 'token' && status === 400)
  const { code, exit } = isRefused ? byStatus[401] : (byStatus[status] ?? (status >= 500 ? failing : byStatus[400]))
  const hint = isRefused ? credentialHint(suggest, source) : hintFor(error, suggest)
  return {
    code: errorType ?? code,
    exit,
    message: shorten(detail ?? error.message),
    status,
    operation,
    ...(issues.length > 0 && { issues }),
    ...(hint && { hint })
  }
}

/** Says what to do about refused credentials. */
function credentialHint(suggest: Suggest, source: string | undefined): string {
  const [, variable] = /\((BURGEE_\w+)\)/.exec(source ?? '') ?? []
  if (variable !== undefined) {
    return `Check ${variable}, which takes precedence over a sign-in. Without it, ${suggest('login')} signs you in.`
  }
  const trust = 'Check the trust of the CI job; each identity token can be exchanged once.'
  if (source === 'identity of the CI job') return trust
  if (source !== undefined) return `Sign in again with ${suggest('login')}.`
  return `If BURGEE_TOKEN or BURGEE_CLIENT_ID is set, check it: it takes precedence over a sign-in. Otherwise, sign in again with ${suggest('login')}. In a CI job, check the trust; each identity token can be exchanged once.`
}

interface Kind {
  readonly code: string
  readonly exit: number
}

const byStatus: Readonly<Record<number, Kind>> & Readonly<Record<400 | 401 | 404 | 409, Kind>> = {
  400: { code: 'INVALID', exit: exitCodes.invalid },
  401: { code: 'UNAUTHORIZED', exit: exitCodes.credentials },
  403: { code: 'FORBIDDEN', exit: exitCodes.forbidden },
  404: { code: 'NOT_FOUND', exit: exitCodes.notFound },
  // The API returns 405 for a change request in another state.
  405: { code: 'WRONG_STATE', exit: exitCodes.conflict },
  409: { code: 'CONFLICT', exit: exitCodes.conflict },
  412: { code: 'PRECONDITION_FAILED', exit: exitCodes.conflict },
  429: { code: 'RATE_LIMITED', exit: exitCodes.unavailable }
}

const failing: Kind = { code: 'SERVER_ERROR', exit: exitCodes.unavailable }

function hintFor(
  { status, errorType, missingPermission, retryAfter, detail = '' }: ApiError,
  suggest: Suggest
): string | undefined {
  if (status === 404) return listHint(detail, suggest)
  if (errorType === 'ERR_APPROVAL_REQUIRED') {
    return `Create a change request with ${suggest('change-requests create')}, and submit it for review.`
  }
  // Only the message names the feature.
  const [, read] = errorType === 'ERR_CODE_USAGES' ? (/feature "([\w.-]+)"/.exec(detail) ?? []) : []
  if (read !== undefined) return `To list these reads: ${suggest(`code-usages list --feature ${read} --current`)}`
  const [, withoutApproval] = /^change requests are disabled in project "(.+)"/.exec(detail) ?? []
  if (withoutApproval !== undefined) return approvalHint(suggest)
  const [, id, state] = /is locked by change request (\w+), which is (\w+)/.exec(detail) ?? []
  if (id !== undefined) return lockHint({ id, isApproved: state === 'approved' }, suggest)
  const [, flag, environment] = /feature "([\w.-]+)" has no targets in environment "([\w.-]+)"/.exec(detail) ?? []
  if (flag !== undefined) {
    return `Choose what it serves to everyone there: ${suggest(`flags on ${flag} --environment ${environment} --serve <variation>`)}`
  }
  const [, duplicate] = errorType === 'ERR_DUPE_FEATURE_KEY' ? (/'([\w.-]+)'/.exec(detail) ?? []) : []
  if (duplicate !== undefined) return `The flag exists: ${suggest(`flags show ${duplicate}`)} shows it.`
  if (missingPermission) return `Ask an administrator of the organization for the permission ${missingPermission}.`
  if (errorType === 'ERR_REVISION') return 'Read it again, and repeat the change if it still applies.'
  if (status === 429 || status === 503) {
    return retryAfter === undefined ? 'Try again in a minute.' : `Try again in ${retryAfter} seconds.`
  }
  return undefined
}

/** Returns the commands that end the lock of a change request. */
export function lockHint(
  { id, isApproved }: { readonly id: string; readonly isApproved: boolean },
  suggest: Suggest
): string {
  const verbs = isApproved ? ['apply', 'cancel'] : ['approve', 'reject', 'cancel']
  const commands = verbs.map((verb) => suggest(`requests ${verb} ${id}${verb === 'reject' ? ' -m <comment>' : ''}`))
  return [`To see it: ${suggest(`requests show ${id}`)}`, 'Then one of:', ...commands.map((line) => `  ${line}`)].join(
    '\n'
  )
}

/** Returns the command that makes a project require approval. */
export function approvalHint(suggest: Suggest): string {
  const settings = JSON.stringify({ featureApprovalWorkflow: { enabled: true } })
  return `To require approval: ${suggest(`projects protected-settings update --settings '${settings}'`)}`
}

/** Returns the command that lists what a message says is missing, unless the message has a suggestion. */
function listHint(detail: string, suggest: Suggest): string | undefined {
  if (detail.startsWith('no route for'))
    return 'The server does not have this operation: check the path, and that the server is not older than this program.'
  const [, kind] =
    /\b(?:there is no|key or id of an?) (project|environment|feature|variable|audience|metric)\b/.exec(detail) ?? []
  if (kind === undefined || detail.includes('did you mean')) return undefined
  return `List them with ${suggest(`${kind === 'feature' ? 'flags' : `${kind}s`} list`)}.`
}

/** Formats a failure for standard error: one line of JSON for programs, sentences for people. */
export function formatFailure(failure: Failure, format: 'json' | 'text'): string {
  if (format === 'json') return escapeControlCharacters(JSON.stringify({ error: failure }))
  const { message, issues = [], hint, code } = failure
  // A defect has a stack, and issues in files have a line each.
  const breaks = { DEFECT: '$&', USAGE: '\n  ' }[code] ?? ' '
  const text = message.replace(/\s*\n\s*/g, breaks)
  const repeated = issues.every((issue) => text.includes(issue.message))
  const lines = [
    `burgee: ${text}`,
    ...(repeated ? [] : issues.map((issue) => `  ${issue.message}`)),
    ...(hint ? [hint] : [])
  ]
  return lines.map(escapeControlCharacters).join('\n')
}
