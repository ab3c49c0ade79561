import type { Json } from '@burgee/core'
import type { FlagMetadata } from '@openfeature/server-sdk'
import type { Evaluated } from './details.ts'
import type { Answer } from './http/post.ts'
import { isRecord } from './isRecord.ts'

/** What a request for a flag came to. */
export interface Outcome {
  readonly flag: Evaluated
  /** What is wrong with the server, if anything is. */
  readonly problem?: string
  /** Whether that is that it refuses the SDK key. */
  readonly isRefused?: boolean
}

/** Reads an answer of OFREP's single evaluation (`ofrep.md` §1.2). */
export function readAnswer({ status, isJson, text }: Answer, url: string): Outcome {
  if (status === 401 || status === 403) {
    return { ...unreachable(`${url} refuses the SDK key (status ${status})`), isRefused: true }
  }
  // A server that wants fewer requests is well.
  if (status === 429) return { flag: failure(`${url} is asked too often (status 429)`) }
  const body = isJson && text !== undefined ? parse(text) : undefined
  const flag = isRecord(body) && !Array.isArray(body) ? readFlag(status, body) : undefined
  return flag ? { flag } : unreachable(`${url} answered with status ${status} and nothing that OFREP knows`)
}

/** A request that came to nothing. */
export function unreachable(problem: string): Outcome {
  return { flag: failure(problem), problem }
}

/** An evaluation that failed for a reason that OpenFeature has no word for. */
export function failure(errorDetails: string): Evaluated {
  return { errorCode: 'GENERAL', errorDetails }
}

function readFlag(status: number, body: Record<string, unknown>): Evaluated | undefined {
  const { key, value, variant, reason, errorCode, errorDetails } = body
  const metadata = flat(body.metadata)
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
function flat(metadata: unknown): FlagMetadata {
  const entries = Object.entries(isRecord(metadata) ? metadata : {}).filter(
    (entry): entry is [string, string | number | boolean] => {
      return ['string', 'number', 'boolean'].includes(typeof entry[1])
    }
  )
  return Object.fromEntries(entries)
}
