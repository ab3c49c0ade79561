import type { EvaluationContext } from '@openfeature/server-sdk'
import { type Evaluated, toDetails } from './details.ts'
import { backoff } from './http/backoff.ts'
import { post } from './http/post.ts'
import { keyOf, type ServerOptions, withoutKey } from './http/server.ts'
import { isRecord } from './isRecord.ts'
import { messageOf } from './messageOf.ts'
import { failure, type Outcome, readAnswer, unreachable } from './ofrepAnswer.ts'
import type { Remote } from './remote.ts'
import { RemoteWatch } from './remoteWatch.ts'

/** A flag that no server has to have: to learn whether one answers, it is enough that it says so. */
const PROBE = 'burgee-probe'

/** How many requests have to come to nothing, one after the other, before none is made for a while. */
const PATIENCE = 3

/**
 * Evaluates on a Burgee server, or any that speaks the OpenFeature Remote Evaluation Protocol. Where the server asks
 * for fewer requests, none is made until the time it names; where it does not answer, applications do not have to wait
 * for that each time.
 */
export function ofrepRemote(server: ServerOptions): Remote {
  let ending = new AbortController()
  let watch: RemoteWatch | undefined
  let pause: { readonly until: number; readonly why: string } | undefined
  let failures = 0
  const waits = backoff(server.retry, server.random)

  const request = async (flagKey: string, context: EvaluationContext): Promise<Outcome> => {
    let key = ''
    try {
      key = keyOf(server)
      const path = `/ofrep/v1/evaluate/flags/${encodeURIComponent(flagKey)}`
      const body = JSON.stringify({ context: plain(context) })
      const answer = await post(server, { path, key, body, signal: ending.signal })
      const { status, retryAfterMs = 0 } = answer
      if (status === 429) pause = { until: performance.now() + retryAfterMs, why: 'as it demands' }
      return readAnswer(answer, server.url)
    } catch (error) {
      return unreachable(withoutKey(`${server.url} cannot be asked: ${messageOf(error)}`, key))
    }
  }
  const ask = async (key: string, context: EvaluationContext): Promise<Evaluated> => {
    const { signal } = ending
    const watching = watch
    const { flag, problem, isRefused = false } = await request(key, context)
    if (signal.aborted) return flag
    watching?.note(problem, isRefused)
    failures = problem === undefined ? 0 : failures + 1
    if (problem === undefined) waits.reset()
    else if (failures >= PATIENCE) pause = { until: performance.now() + waits.next(isRefused), why: problem }
    return flag
  }
  const evaluate = async (key: string, context: EvaluationContext): Promise<Evaluated> => {
    const restMs = pause ? pause.until - performance.now() : 0
    if (pause && restMs > 0) return failure(`${server.url} is not asked for ${Math.ceil(restMs)} ms: ${pause.why}`)
    return ask(key, context)
  }

  return {
    resolve: async (key, type, defaultValue, context) => {
      return toDetails(await evaluate(key, context), { key, type, defaultValue })
    },
    start: (options) => {
      watch?.close()
      watch = new RemoteWatch(() => ask(PROBE, {}), backoff(server.retry, server.random), options)
      return watch.start()
    },
    close: () => {
      watch?.close()
      watch = undefined
      ending.abort()
      ending = new AbortController()
      pause = undefined
      failures = 0
      waits.reset()
    }
  }
}

/** The context as evaluation in process reads it. A date would become a text on its way, which the server would keep. */
function plain(context: EvaluationContext): Record<string, unknown> {
  const members: Record<string, unknown> = {}
  for (const [member, value] of Object.entries(context)) {
    if (!isRecord(value)) members[member] = value
    else if (member === 'customData' || member === 'privateCustomData') members[member] = scalars(value)
  }
  return members
}

function scalars(data: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(data).filter(([, value]) => !isRecord(value)))
}
