import type { Json } from '@burgee/core'
import type { FlagMetadata } from '@openfeature/server-sdk'
import { formatExplanation } from '../http/explanation.ts'
import type { JsonResponse } from '../http/postJson.ts'
import { isRecord } from '../lib/json.ts'
import type { EvaluatedFlag, FlagError } from './resolutionDetails.ts'

/** What asking for a flag came to. */
export type OfrepOutcome =
  | { readonly type: 'answered'; readonly flag: EvaluatedFlag }
  /** No server can be asked, which says nothing of this one. */
  | { readonly type: 'unaskable'; readonly flag: FlagError }
  /** The server is well, and wants fewer requests. */
  | { readonly type: 'busy'; readonly message: string; readonly retryAfterMs: number | undefined }
  /** Something is wrong with the server, or it refuses the SDK key. */
  | { readonly type: 'failed'; readonly message: string; readonly isRefused: boolean }
  /** The server is left alone for a while. */
  | { readonly type: 'unasked'; readonly message: string }

/** Reads an answer of OFREP's single evaluation of a flag (`ofrep.md` §1.2). */
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
  if (status === 429) return { type: 'busy', message: `${url} is asked too often (status 429)`, retryAfterMs }
  const body = isJson && text !== undefined ? parse(text) : undefined
  const flag = isRecord(body) && !Array.isArray(body) ? parseFlag(status, body) : undefined
  if (flag && 'key' in flag && ![flagKey, ''].includes(flag.key)) {
    return { type: 'failed', message: `${url} answered for another flag than it was asked for`, isRefused: false }
  }
  if (flag) return { type: 'answered', flag }
  const message = `${url} answered with status ${status} and nothing that OFREP knows`
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
    // It was parsed from JSON.
    ...(value === undefined ? {} : { value: value as Json }),
    ...(typeof variant === 'string' ? { variant } : {})
  }
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** The flat members of metadata, which are all that OpenFeature knows. */
function flatMembersOf(metadata: unknown): FlagMetadata {
  const entries = Object.entries(isRecord(metadata) ? metadata : {}).filter(
    (entry): entry is [string, string | number | boolean] => {
      return ['string', 'number', 'boolean'].includes(typeof entry[1])
    }
  )
  return Object.fromEntries(entries)
}
