import type { Json } from '@burgee/core'
import { isRecord } from '@burgee/kit'
import type { FlagMetadata } from '@openfeature/server-sdk'
import { formatExplanation } from '../http/explanation.ts'
import type { JsonResponse } from '../http/postJson.ts'
import { parseJson } from '../lib/json.ts'
import type { EvaluatedFlag, FlagError } from './resolutionDetails.ts'

/** The outcome of a remote evaluation. */
export type OfrepOutcome =
  | { readonly type: 'answered'; readonly flag: EvaluatedFlag }
  /** The request is invalid, which says nothing about the server. */
  | { readonly type: 'invalid'; readonly flag: FlagError }
  /** The server is available and limits the request rate. */
  | { readonly type: 'throttled'; readonly message: string; readonly retryAfterMs: number | undefined }
  /** The server failed, or rejects the SDK key. */
  | { readonly type: 'failed'; readonly message: string; readonly isRefused: boolean }
  /** No request was made. */
  | { readonly type: 'skipped'; readonly message: string }

/** Parses the response of OFREP's single flag evaluation (`docs/reference/ofrep.md`). */
export function parseOfrepResponse(
  { status, isJson, text, retryAfterMs }: JsonResponse,
  { url, key, flagKey }: { readonly url: string; readonly key: string; readonly flagKey: string }
): OfrepOutcome {
  if (status === 401 || status === 403) {
    return {
      type: 'failed',
      message: `${url} refuses the SDK key (status ${status})${formatExplanation(text, key)}`,
      isRefused: true
    }
  }
  if (status === 429) return { type: 'throttled', message: `${url} limits the request rate (status 429)`, retryAfterMs }
  const body = isJson && text !== undefined ? parseJson(text) : undefined
  const flag = isRecord(body) ? parseFlag(status, body) : undefined
  if (flag && 'key' in flag && ![flagKey, ''].includes(flag.key)) {
    return { type: 'failed', message: `${url} answered with a different flag than requested`, isRefused: false }
  }
  if (flag) return { type: 'answered', flag }
  const message = `${url} answered with status ${status} and without a valid OFREP body`
  return { type: 'failed', message, isRefused: false }
}

function parseFlag(status: number, body: Record<string, unknown>): EvaluatedFlag | undefined {
  const { key, value, variant, reason, errorCode, errorDetails } = body
  const metadata = flatMembersOf(body.metadata)
  if (typeof errorCode === 'string') {
    return { errorCode, errorDetails: typeof errorDetails === 'string' ? errorDetails : errorCode, metadata }
  }
  if (status !== 200) return undefined
  return {
    key: typeof key === 'string' ? key : '',
    reason: typeof reason === 'string' ? reason : 'DEFAULT',
    metadata,
    // The value was parsed from JSON.
    ...(value === undefined ? {} : { value: value as Json }),
    ...(typeof variant === 'string' ? { variant } : {})
  }
}

/** Returns the scalar members of metadata. OpenFeature supports no others. */
function flatMembersOf(metadata: unknown): FlagMetadata {
  const entries = Object.entries(isRecord(metadata) ? metadata : {}).filter(
    (entry): entry is [string, string | number | boolean] => {
      return ['string', 'number', 'boolean'].includes(typeof entry[1])
    }
  )
  return Object.fromEntries(entries)
}
