import { setTimeout } from 'node:timers/promises'
import { describeNetworkError, REQUEST_TIMEOUT_MS } from '@burgee/contract/client'
import { backoff, parseRetryAfter } from '@burgee/kit'

interface RetryOptions {
  /** Returns a random number, at least 0 and less than 1. */
  readonly random: () => number
  /** Reports a retry, with its reason. */
  readonly onRetry: (line: string) => void
}

const MAX_RETRIES = 3

/** The longest wait that a server can ask for, in milliseconds. */
export const MAX_WAIT_MS = 60_000

/** The longest time that a request takes with all its tries, in milliseconds; each try has a limit of its own. */
export const ALL_TRIES_MS = (MAX_RETRIES + 1) * REQUEST_TIMEOUT_MS + MAX_RETRIES * MAX_WAIT_MS

/**
 * Returns a `fetch` that repeats requests which only read: up to three times, if there is no connection or the server
 * asks to try later. A server that does not answer in time would not answer the next request either. Other requests are
 * not repeated, since their outcome is unknown.
 */
export function retryingFetch(send: typeof fetch, { random, onRetry }: RetryOptions): typeof fetch {
  return async (input, init) => {
    if (init?.method && init.method !== 'GET') return send(input, init)
    const delays = backoff({ initialMs: 300, maxMs: 5000, random })
    for (let attempt = 0; ; attempt++) {
      const result = await send(input, init).then(
        (response) => ({ response }),
        (error: unknown) => ({ error })
      )
      const wait = 'response' in result ? waitFor(result.response, delays.next) : waitAfter(result.error, delays.next)
      if (wait === undefined || wait > MAX_WAIT_MS || attempt === MAX_RETRIES) {
        if ('response' in result) return result.response
        throw result.error
      }
      onRetry(`${reasonFor(result)}; retrying in ${Math.ceil(wait / 1000)} s`)
      await setTimeout(wait)
    }
  }
}

function waitFor({ status, headers }: Response, next: () => number): number | undefined {
  if (![429, 502, 503, 504].includes(status)) return undefined
  const date = headers.get('date')
  return (
    parseRetryAfter(headers.get('retry-after'), { date, now: Date.now(), maxMs: Number.MAX_SAFE_INTEGER }) ?? next()
  )
}

function waitAfter(error: unknown, next: () => number): number | undefined {
  const isLate = error instanceof Error && error.name === 'TimeoutError'
  return isLate || describeNetworkError(error) === undefined ? undefined : next()
}

function reasonFor(result: { readonly response: Response } | { readonly error: unknown }): string {
  return 'response' in result
    ? `the server returned ${result.response.status}`
    : `the server ${describeNetworkError(result.error)}`
}
