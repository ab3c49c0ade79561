import { setMaxListeners } from 'node:events'
import type { EvaluationContext } from '@openfeature/server-sdk'
import { Cooldown } from '../http/cooldown.ts'
import { postJson } from '../http/postJson.ts'
import { isKeyReplaced, keyOf, maskSecrets, type ServerOptions, sanitize } from '../http/serverOptions.ts'
import { isRecord } from '../lib/json.ts'
import { errorMessage } from '../lib/text.ts'
import { type OfrepOutcome, parseOfrepResponse } from './ofrepOutcome.ts'
import type { FlagError } from './resolutionDetails.ts'

/**
 * A client of a Burgee server, or of any that speaks the OpenFeature Remote Evaluation Protocol. Where the server asks
 * for fewer requests, none is made until the time it names; where it does not answer, applications do not have to wait
 * for that each time. It never throws.
 */
export class OfrepClient {
  readonly #server: ServerOptions
  readonly #cooldown: Cooldown
  /** The number of requests under way that decide whether further ones are made. */
  #trials = 0
  #refusedKey: string | undefined
  readonly #ending = new AbortController()

  /** @param limit The number of consecutive failures after which the server gets no request for a while. */
  constructor(server: ServerOptions, limit: number) {
    this.#server = server
    this.#cooldown = new Cooldown(limit, server)
    // Each evaluation that is under way listens to it.
    setMaxListeners(0, this.#ending.signal)
  }

  /** Evaluates a flag, unless the server is in its cool-down. */
  async evaluate(flagKey: string, context: EvaluationContext): Promise<OfrepOutcome> {
    if (!isAddressable(flagKey)) return { type: 'unaskable', flag: flagNotFound(flagKey) }
    if (this.#refusedKey !== undefined && isKeyReplaced(this.#server, this.#refusedKey)) {
      this.#refusedKey = undefined
      this.#cooldown.reset()
    }
    const { url } = this.#server
    const { pause } = this.#cooldown
    if (!pause) return this.request(flagKey, context)
    return { type: 'unasked', message: `${url} is not asked for ${Math.ceil(pause.ms)} ms: ${pause.why}` }
  }

  /** Evaluates a flag even in the cool-down, unless another request under way has to show first that the server answers. */
  async request(flagKey: string, context: EvaluationContext): Promise<OfrepOutcome> {
    const body = toRequestBody(context)
    if (typeof body !== 'string') return { type: 'unaskable', flag: body }
    const isTrial = this.#cooldown.needsTrial
    if (isTrial && this.#trials > 0) {
      return { type: 'unasked', message: `${this.#server.url} has to answer another request first` }
    }
    if (isTrial) this.#trials += 1
    const outcome = await this.#request(flagKey, body)
    if (isTrial) this.#trials -= 1
    if (outcome.type === 'failed') this.#cooldown.fail(outcome.message, outcome.isRefused)
    else if (outcome.type === 'busy') this.#cooldown.busy(outcome.retryAfterMs)
    else this.#cooldown.succeed()
    return outcome
  }

  /** How long to wait after a failure before the server is tried again by itself. */
  get retryMs(): number {
    return this.#cooldown.retryMs
  }

  /** The key that the server refused last, until it accepts one. */
  get refusedKey(): string | undefined {
    return this.#refusedKey
  }

  /** Ends what is under way. */
  close(): void {
    this.#ending.abort()
  }

  async #request(flagKey: string, body: string): Promise<OfrepOutcome> {
    const { url } = this.#server
    let key = ''
    try {
      key = keyOf(this.#server)
      const path = `/ofrep/v1/evaluate/flags/${encodeURIComponent(flagKey)}`
      const answer = await postJson(this.#server, { path, key, body, signal: this.#ending.signal })
      const outcome = parseOfrepResponse(answer, { url, key, flagKey })
      this.#refusedKey = outcome.type === 'failed' && outcome.isRefused ? key : undefined
      return maskedOutcome(outcome, key)
    } catch (error) {
      const message = sanitize(`${url} cannot be asked: ${errorMessage(error)}`, key)
      return { type: 'failed', message, isRefused: false }
    }
  }
}

/** Whether a flag can be asked for: an address has no place for other keys, and no flag has such a one. */
function isAddressable(flagKey: string): boolean {
  return !['', '.', '..'].includes(flagKey) && !/\p{Surrogate}/u.test(flagKey)
}

function flagNotFound(flagKey: string): FlagError {
  return { errorCode: 'FLAG_NOT_FOUND', errorDetails: `flag "${flagKey}" does not exist` }
}

/** An outcome whose words do not say the SDK key: they are the server's, or of something in between. What is said of a flag is otherwise as in process. */
function maskedOutcome(outcome: OfrepOutcome, key: string): OfrepOutcome {
  if (!('flag' in outcome)) return { ...outcome, message: sanitize(outcome.message, key) }
  const { flag } = outcome
  if (outcome.type !== 'answered' || !('errorCode' in flag)) return outcome
  return { ...outcome, flag: { ...flag, errorDetails: maskSecrets(flag.errorDetails, key) } }
}

/** What is sent to the server, or what is wrong with a context that cannot be sent to any. */
function toRequestBody(context: EvaluationContext): string | FlagError {
  try {
    return JSON.stringify({ context: toPlainContext(context) })
  } catch (error) {
    const errorDetails = `the evaluation context is not JSON: ${errorMessage(error)}`
    return { errorCode: 'INVALID_CONTEXT', errorDetails }
  }
}

/** The context as evaluation in process reads it, without what servers do not take. A date would become a text on its way, which the server would keep. */
function toPlainContext(context: EvaluationContext): Record<string, unknown> {
  const members: Record<string, unknown> = {}
  for (const [member, value] of Object.entries(context)) {
    if (rejectedMembers.includes(member)) continue
    if (isScalar(value) || targetingKeys.includes(member)) members[member] = value
    else if (isRecord(value) && dataMembers.includes(member)) members[member] = scalarMembersOf(value)
  }
  return members
}

/** Members by which a server would refuse the whole context: they are a way to attack programs. */
const rejectedMembers = ['__proto__', 'constructor', 'prototype']

/** The members that name a user; what is no text there is a mistake, which the server tells. */
const targetingKeys = ['targetingKey', 'user_id', 'userId']

/** The members that hold others. */
const dataMembers = ['customData', 'privateCustomData']

function scalarMembersOf(data: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(data).filter(([name, value]) => isScalar(value) && !rejectedMembers.includes(name))
  )
}

/** Whether JSON has a place for a value beside others, or leaves it out by itself. */
function isScalar(value: unknown): boolean {
  return !isRecord(value) && typeof value !== 'bigint'
}
