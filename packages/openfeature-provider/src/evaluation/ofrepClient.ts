import type { EvaluationContext } from '@openfeature/server-sdk'
import { Cooldown } from '../http/cooldown.ts'
import { postJson } from '../http/postJson.ts'
import {
  describeFailure,
  isKeyReplaced,
  keyOf,
  maskSecrets,
  type ServerOptions,
  sanitize
} from '../http/serverOptions.ts'
import { errorMessage } from '../lib/text.ts'
import { type OfrepOutcome, parseOfrepResponse } from './ofrepOutcome.ts'
import type { FlagError } from './resolutionDetails.ts'

/** If no request gets a response for this time in milliseconds, only the oldest one keeps waiting. */
const SILENCE_MS = 2_000

/** A request that the server has not answered. */
interface WaitingRequest {
  readonly abort: AbortController
  /** Whether its result closes or opens the circuit breaker. */
  isTrial: boolean
  /** Whether it was aborted because the server is silent. */
  isReleased: boolean
}

/**
 * A client of the OpenFeature Remote Evaluation Protocol, for Burgee servers and others. It respects `Retry-After`, and
 * has a circuit breaker, so that evaluations return at once while the server is down or silent. It never throws.
 */
export class OfrepClient {
  readonly #server: ServerOptions
  readonly #cooldown: Cooldown
  /** The requests in flight, the oldest first. */
  readonly #waiting = new Set<WaitingRequest>()
  #silence: NodeJS.Timeout | undefined
  #refusedKey: string | undefined
  #isClosed = false

  /** @param limit The number of consecutive failures that open the circuit breaker. */
  constructor(server: ServerOptions, limit: number) {
    this.#server = server
    this.#cooldown = new Cooldown(limit, server)
  }

  /** Evaluates a flag, unless the circuit breaker is open. */
  async evaluate(flagKey: string, context: EvaluationContext): Promise<OfrepOutcome> {
    if (!isAddressable(flagKey)) return { type: 'invalid', flag: flagNotFound(flagKey) }
    if (this.#refusedKey !== undefined && isKeyReplaced(this.#server, this.#refusedKey)) {
      this.#refusedKey = undefined
      this.#cooldown.reset()
    }
    const { url } = this.#server
    const { pause } = this.#cooldown
    if (!pause) return this.request(flagKey, context)
    return { type: 'skipped', message: `no requests are sent to ${url} for ${Math.ceil(pause.ms)} ms: ${pause.reason}` }
  }

  /** Evaluates a flag even if the circuit breaker is open, unless a trial request is in flight. */
  async request(flagKey: string, context: EvaluationContext): Promise<OfrepOutcome> {
    const body = toRequestBody(context)
    if (typeof body !== 'string') return { type: 'invalid', flag: body }
    const isTrial = this.#cooldown.needsTrial
    if (isTrial && [...this.#waiting].some((request) => request.isTrial)) {
      return { type: 'skipped', message: `${this.#server.url} has not answered the trial request yet` }
    }
    const waiting = { abort: new AbortController(), isTrial, isReleased: false }
    if (this.#isClosed) waiting.abort.abort()
    this.#waiting.add(waiting)
    this.#silence ??= this.#startSilence()
    const outcome = await this.#request(flagKey, body, waiting.abort.signal)
    this.#waiting.delete(waiting)
    if (waiting.isReleased) {
      return { type: 'skipped', message: `${this.#server.url} has answered no request for ${SILENCE_MS} ms` }
    }
    this.#restartSilence()
    if (outcome.type === 'failed') this.#cooldown.fail(outcome.message, outcome.isRefused)
    else if (outcome.type === 'throttled') this.#cooldown.throttle(outcome.retryAfterMs)
    else this.#cooldown.succeed()
    return outcome
  }

  /** The wait before the next probe, in milliseconds. */
  get retryMs(): number {
    return this.#cooldown.retryMs
  }

  /** The last key that the server rejected; undefined after it has accepted one. */
  get refusedKey(): string | undefined {
    return this.#refusedKey
  }

  /** Aborts all requests. */
  close(): void {
    this.#isClosed = true
    clearTimeout(this.#silence)
    for (const { abort } of this.#waiting) abort.abort()
  }

  #startSilence(): NodeJS.Timeout {
    return setTimeout(() => this.#handleSilence(), SILENCE_MS).unref()
  }

  #restartSilence(): void {
    clearTimeout(this.#silence)
    this.#silence = this.#waiting.size > 0 ? this.#startSilence() : undefined
  }

  /** Makes the oldest request the trial request, and releases the others. */
  #handleSilence(): void {
    this.#silence = undefined
    this.#cooldown.suspect()
    const [trial, ...others] = this.#waiting
    if (trial) trial.isTrial = true
    for (const request of others) {
      request.isReleased = true
      request.abort.abort()
    }
  }

  async #request(flagKey: string, body: string, signal: AbortSignal): Promise<OfrepOutcome> {
    const { url } = this.#server
    let key = ''
    try {
      key = keyOf(this.#server)
      const path = `/ofrep/v1/evaluate/flags/${encodeURIComponent(flagKey)}`
      const response = await postJson(this.#server, { path, key, body, signal })
      const outcome = parseOfrepResponse(response, { url, key, flagKey })
      this.#refusedKey = outcome.type === 'failed' && outcome.isRefused ? key : undefined
      return maskOutcome(outcome, key)
    } catch (error) {
      return { type: 'failed', message: describeFailure(error, url, key), isRefused: false }
    }
  }
}

/** Whether a URL can contain a flag key. Keys of existing flags can always be part of a URL. */
function isAddressable(flagKey: string): boolean {
  return !['', '.', '..'].includes(flagKey) && !/\p{Surrogate}/u.test(flagKey)
}

function flagNotFound(flagKey: string): FlagError {
  return { errorCode: 'FLAG_NOT_FOUND', errorDetails: `flag "${flagKey}" does not exist` }
}

/**
 * Masks secrets in the messages of an outcome, which come from the server or a proxy. Other members are the
 * same as in in-process evaluation.
 */
function maskOutcome(outcome: OfrepOutcome, key: string): OfrepOutcome {
  if (!('flag' in outcome)) return { ...outcome, message: sanitize(outcome.message, key) }
  const { flag } = outcome
  if (outcome.type !== 'answered' || !('errorCode' in flag)) return outcome
  return { ...outcome, flag: { ...flag, errorDetails: maskSecrets(flag.errorDetails, key) } }
}

/** Returns the body of a request, or an error for a context that JSON cannot express. */
function toRequestBody(context: EvaluationContext): string | FlagError {
  try {
    return JSON.stringify({ context: toPlainContext(context) })
  } catch (error) {
    const errorDetails = `the evaluation context is not JSON: ${errorMessage(error)}`
    return { errorCode: 'INVALID_CONTEXT', errorDetails }
  }
}

/**
 * Returns the members of a context that in-process evaluation reads and servers accept. Dates are omitted, because JSON
 * would turn them into strings.
 */
function toPlainContext(context: EvaluationContext): Record<string, unknown> {
  const members: Record<string, unknown> = {}
  for (const [member, value] of Object.entries(context)) {
    if (rejectedMembers.includes(member)) continue
    if (isScalar(value) || targetingKeys.includes(member)) members[member] = value
    else if (isObject(value) && dataMembers.includes(member)) members[member] = scalarMembersOf(value)
  }
  return members
}

/** Servers reject contexts with these members, which could cause prototype pollution. */
const rejectedMembers = ['__proto__', 'constructor', 'prototype']

/** The members that identify a user. The server reports an error if they are not strings. */
const targetingKeys = ['targetingKey', 'user_id', 'userId']

/** The members that contain custom data. */
const dataMembers = ['customData', 'privateCustomData']

function scalarMembersOf(data: object): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(data).filter(([name, value]) => isScalar(value) && !rejectedMembers.includes(name))
  )
}

/** Whether JSON represents a value as a scalar, or omits it. */
function isScalar(value: unknown): boolean {
  return !isObject(value) && typeof value !== 'bigint'
}

/** Whether a value has members; the indexes of an array count as members. */
function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null
}
