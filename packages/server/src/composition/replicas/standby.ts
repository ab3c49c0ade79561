import type { RequestListener } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { backoff, withDeadline } from '@burgee/kit'
import { replaceCallback } from '../../api/http/listen.ts'
import type { Options } from '../../cli/options.ts'
import type { EventRecorder } from '../../insights/evaluations/eventRecorder.ts'
import { createDeferred } from '../../lib/deferred.ts'
import { type Disposer, openWithDisposer } from '../../lib/disposer.ts'
import { unavailable } from '../../lib/errors.ts'
import type { Logger } from '../../lib/logger.ts'
import { reasonOf } from '../../lib/reasonOf.ts'
import { SECOND } from '../../lib/time.ts'
import { EventsUnavailableError } from '../../storage/events/eventStore.ts'
import { StoreUnavailableError, StoreUnreachableError } from '../../storage/store.ts'
import type { Listening } from '../listeners.ts'
import type { RunningServer, ServerDependencies } from '../runningServer.ts'
import type { WorkerPool } from '../workers/workerPool.ts'
import type { ConfigCopy } from './configCopies.ts'
import type { ReplicaHealth } from './evaluationHttp.ts'
import { openReplica } from './replica.ts'

/** A listening server that a started one takes over. */
export interface TakeOver {
  readonly listening: Listening
  /** Passes further requests to the started server, and the evaluations counted so far. */
  readonly activate: (started: StartedServer) => void
  readonly isActive: () => boolean
}

/** The server that takes over requests and evaluations. */
interface StartedServer {
  readonly listener: RequestListener
  readonly metricsListener: RequestListener
  readonly append: EventRecorder['append']
}

interface Standby {
  readonly options: Options
  readonly dependencies: ServerDependencies
  readonly copies: readonly ConfigCopy[]
  readonly log: Logger
  /** Why the server could not start with the database. */
  readonly cause: StoreUnreachableError
  readonly workers: WorkerPool | undefined
  /** Starts the server. @throws while the database is not available. */
  readonly open: (takeOver: TakeOver) => Promise<RunningServer>
}

/**
 * Starts a server whose database is not available: it evaluates with the copies of an earlier run, refuses what needs
 * the database with 503, and becomes a complete server once the database is available.
 */
export function startStandby(standby: Standby): Promise<RunningServer> {
  return openWithDisposer((disposer) => openStandby(standby, disposer))
}

async function openStandby(
  { options, dependencies, copies, log, cause, workers, open }: Standby,
  disposer: Disposer
): Promise<RunningServer> {
  const replica = await openReplica({
    options,
    dependencies,
    log,
    isWritable: () => false,
    // Only the database has keys and environments that were created after the copies.
    isIncomplete: () => true,
    workers,
    disposer
  })
  const { now, configs, lifecycle } = replica
  const logFailure = createFailureLog(log)
  for (const { copy } of copies) configs.set(copy.environment._id, copy)
  let append: EventRecorder['append'] = () => Promise.reject(new EventsUnavailableError(UNAVAILABLE))
  let active: RunningServer | undefined
  let isActive = false
  let isClosed = false
  const stopping = new AbortController()
  const { listening, url } = await replica.listen({
    append: (entry) => append(entry),
    warn: () => {},
    catchUp: () => Promise.reject(new StoreUnavailableError(UNAVAILABLE)),
    health: describeHealth(copies, now),
    fallback: refuseOthers,
    ownsServer: () => !isActive
  })
  const takeOver: TakeOver = {
    listening,
    isActive: () => isActive,
    activate: (started) => {
      isActive = true
      append = started.append
      replaceCallback(listening.server, started.listener)
      if (listening.metricsServer) replaceCallback(listening.metricsServer, started.metricsListener)
    }
  }
  const becomeActive = async (): Promise<void> => {
    const delays = backoff({ initialMs: SECOND, maxMs: 5 * SECOND, random: Math.random })
    while (!stopping.signal.aborted) {
      await sleep(delays.next(), undefined, { signal: stopping.signal, ref: false }).catch(() => {})
      if (stopping.signal.aborted) return
      try {
        active = await open(takeOver)
        // `close` no longer waits for it.
        if (isClosed) return await active.close()
        log.info('the database is available again, so the server is complete')
        // Closes the streams, whose clients reconnect, and adds the counted evaluations to the store.
        await disposer.close()
        void active.closed.then(closed.resolve)
        return
      } catch (error) {
        logFailure(error)
      }
    }
  }
  const closed = createDeferred<Error | undefined>()
  lifecycle.start()
  logFailure(cause)
  const becoming = becomeActive()
  log.warn(
    `the database is not available; evaluating with the configs of an earlier run: ${copies.length} environments`
  )
  return {
    url,
    demo: undefined,
    signInLink: undefined,
    needsPerson: false,
    administrator: undefined,
    close: async (closing) => {
      stopping.abort()
      // A database that hangs can delay an opening in progress for a minute.
      await withDeadline(OPENING_MS, becoming, () => {})
      isClosed = true
      await (active ?? lifecycle).close(closing)
      if (!active) closed.resolve(undefined)
    },
    closed: closed.promise
  }
}

/** Creates a log of failures to open the store. It reports each reason once; another one can follow the outage. */
function createFailureLog(log: Logger): (error: unknown) => void {
  const reasons = new Set<string>()
  return (error) => {
    const reason = reasonOf(error)
    const message = error instanceof StoreUnreachableError ? UNREACHABLE : UNUSABLE
    if (reasons.has(reason)) log.debug({ err: error }, message)
    else log.error({ err: error }, message)
    reasons.add(reason)
  }
}

/** Describes a server that evaluates with copies, and stores nothing. */
function describeHealth(copies: readonly ConfigCopy[], now: () => number): ReplicaHealth {
  const checkedAt = Math.min(...copies.map((copy) => copy.checkedAt))
  return {
    findProblem: () => undefined,
    findWriteProblem: () => UNAVAILABLE,
    describeConfigs: () => ({
      status: 'degraded',
      configAgeSeconds: Math.max(0, Math.round((now() - checkedAt) / SECOND))
    })
  }
}

/** @throws {HttpError} 503 */
function refuseOthers(): never {
  throw unavailable(UNAVAILABLE, RETRY_SECONDS)
}

const UNREACHABLE = 'the store is not available'

const UNUSABLE = 'the server cannot become complete'

const UNAVAILABLE = 'the database is not available; evaluation continues with the configs of an earlier run'

const RETRY_SECONDS = 5

/** How long a stop waits for the opening of the database in progress, in milliseconds. */
const OPENING_MS = 5 * SECOND
