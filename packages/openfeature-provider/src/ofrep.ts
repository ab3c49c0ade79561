import { setMaxListeners } from 'node:events'
import type { EvaluationContext } from '@openfeature/server-sdk'
import type { Unresolved } from './details.ts'
import { Cooldown } from './http/cooldown.ts'
import { post } from './http/post.ts'
import { isKeyReplaced, keyOf, type ServerOptions, toldOf, withoutKey } from './http/server.ts'
import { isRecord } from './isRecord.ts'
import { messageOf } from './messageOf.ts'
import { type Outcome, readAnswer } from './ofrepAnswer.ts'

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
  async evaluate(flagKey: string, context: EvaluationContext): Promise<Outcome> {
    if (!hasPath(flagKey)) return { type: 'unaskable', flag: notFound(flagKey) }
    if (this.#refusedKey !== undefined && isKeyReplaced(this.#server, this.#refusedKey)) {
      this.#refusedKey = undefined
      this.#cooldown.reset()
    }
    const { url } = this.#server
    const { pause } = this.#cooldown
    if (!pause) return this.ask(flagKey, context)
    return { type: 'unasked', message: `${url} is not asked for ${Math.ceil(pause.ms)} ms: ${pause.why}` }
  }

  /** Evaluates a flag even in the cool-down, unless another request under way has to show first that the server answers. */
  async ask(flagKey: string, context: EvaluationContext): Promise<Outcome> {
    const body = bodyOf(context)
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

  async #request(flagKey: string, body: string): Promise<Outcome> {
    const { url } = this.#server
    let key = ''
    try {
      key = keyOf(this.#server)
      const path = `/ofrep/v1/evaluate/flags/${encodeURIComponent(flagKey)}`
      const answer = await post(this.#server, { path, key, body, signal: this.#ending.signal })
      const outcome = readAnswer(answer, { url, key, flagKey })
      this.#refusedKey = outcome.type === 'failed' && outcome.isRefused ? key : undefined
      return cleared(outcome, key)
    } catch (error) {
      const message = toldOf(`${url} cannot be asked: ${messageOf(error)}`, key)
      return { type: 'failed', message, isRefused: false }
    }
  }
}

/** Whether a flag can be asked for: an address has no place for other keys, and no flag has such a one. */
function hasPath(flagKey: string): boolean {
  return !['', '.', '..'].includes(flagKey) && !/\p{Surrogate}/u.test(flagKey)
}

function notFound(flagKey: string): Unresolved {
  return { errorCode: 'FLAG_NOT_FOUND', errorDetails: `flag "${flagKey}" does not exist` }
}

/** An outcome whose words do not say the SDK key: they are the server's, or of something in between. What is said of a flag is otherwise as in process. */
function cleared(outcome: Outcome, key: string): Outcome {
  if (!('flag' in outcome)) return { ...outcome, message: toldOf(outcome.message, key) }
  const { flag } = outcome
  if (outcome.type !== 'answered' || !('errorCode' in flag)) return outcome
  return { ...outcome, flag: { ...flag, errorDetails: withoutKey(flag.errorDetails, key) } }
}

/** What is sent to the server, or what is wrong with a context that cannot be sent to any. */
function bodyOf(context: EvaluationContext): string | Unresolved {
  try {
    return JSON.stringify({ context: plain(context) })
  } catch (error) {
    const errorDetails = `the evaluation context is not JSON: ${messageOf(error)}`
    return { errorCode: 'INVALID_CONTEXT', errorDetails }
  }
}

/** The context as evaluation in process reads it, without what servers do not take. A date would become a text on its way, which the server would keep. */
function plain(context: EvaluationContext): Record<string, unknown> {
  const members: Record<string, unknown> = {}
  for (const [member, value] of Object.entries(context)) {
    if (untaken.includes(member)) continue
    if (isFlat(value) || targetingKeys.includes(member)) members[member] = value
    else if (isRecord(value) && dataMembers.includes(member)) members[member] = scalars(value)
  }
  return members
}

/** Members by which a server would refuse the whole context: they are a way to attack programs. */
const untaken = ['__proto__', 'constructor', 'prototype']

/** The members that name a user; what is no text there is a mistake, which the server tells. */
const targetingKeys = ['targetingKey', 'user_id', 'userId']

/** The members that hold others. */
const dataMembers = ['customData', 'privateCustomData']

function scalars(data: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(data).filter(([name, value]) => isFlat(value) && !untaken.includes(name)))
}

/** Whether JSON has a place for a value beside others, or leaves it out by itself. */
function isFlat(value: unknown): boolean {
  return !isRecord(value) && typeof value !== 'bigint'
}
