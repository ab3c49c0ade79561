import type { RequestListener, Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { withDeadline } from '@burgee/kit'
import { receiveForwarded } from '../../api/http/forwarding/receiveForwarded.ts'
import type { Options } from '../../cli/options.ts'
import type { EventRecorder } from '../../insights/evaluations/eventRecorder.ts'
import type { Logger } from '../../lib/logger.ts'
import { SECOND } from '../../lib/time.ts'
import { createWorkerCounts, type MetricsSnapshot, type WorkerSources } from '../../telemetry/metrics/workerMetrics.ts'
import { createConfigFeed } from './configFeed.ts'
import { type ForwardingSocket, openForwardingSocket, type Timeouts } from './forwardingSocket.ts'
import type { WorkerSettings } from './functions.ts'
import { createServiceFunctions, type MainServices, type Serving } from './serviceFunctions.ts'
import { createWorkerSupervisor, type RunningWorker } from './workerSupervisor.ts'

/** The processes that answer ordinary evaluations, and forward all other requests to this one (ADR 106). */
export interface WorkerPool extends WorkerSources {
  /**
   * Starts the workers, which forward all requests to `callback` until `serve` is called. Returns the server
   * that receives them.
   * @throws {OptionError} if the address is unavailable.
   */
  readonly listen: (callback: RequestListener, timeouts: Timeouts) => Promise<Server>
  /** Where the workers listen. */
  readonly address: () => AddressInfo
  /** Lets the workers evaluate. */
  readonly serve: (services: MainServices) => void
  /** Resolves when all workers that are running evaluate. */
  readonly whenActive: () => Promise<void>
  /** Resolves when this process has the evaluations that workers have counted so far. */
  readonly flush: EventRecorder['flush']
  /** Lets the workers finish their requests, `lingerMs` milliseconds later, and ends them. */
  readonly close: (lingerMs: number) => Promise<void>
}

interface Dependencies {
  readonly options: Options
  readonly log: Logger
  /** The program of a worker. */
  readonly program: URL
  /** How long a worker may warm up evaluations, in milliseconds. */
  readonly warmUpMs: number
}

/** Creates the pool. It has no processes until it listens. */
export function createWorkerPool({ options, log, program, warmUpMs }: Dependencies): WorkerPool {
  let serving: Serving | undefined
  let socket: ForwardingSocket | undefined
  /** The functions that end the feed of a worker, by its id. */
  const detach = new Map<number, () => void>()

  const attach = (worker: RunningWorker): void => {
    if (serving) detach.set(worker.process.id, attachToFeed(serving, worker, log))
  }
  const supervisor = createWorkerSupervisor({
    program,
    log,
    functions: createServiceFunctions(
      () => serving,
      (worker, snapshot) => counts.record(worker, snapshot)
    ),
    onRunning: attach,
    onEnded: (id) => {
      detach.get(id)?.()
      detach.delete(id)
      counts.retire(id)
    }
  })
  const counts = createWorkerCounts((id) => supervisor.running.has(id))
  const close = async (lingerMs: number) => {
    await supervisor.stop(lingerMs)
    serving?.feed.close()
    await socket?.close()
  }
  return {
    listen: async (callback, timeouts) => {
      socket = await openForwardingSocket(
        receiveForwarded(callback, () => serving?.feed.isSettled() ?? true),
        timeouts
      )
      try {
        const { socketPath } = socket
        await supervisor.start(options.workers, toWorkerSettings(options, { socketPath, warmUpMs, ...timeouts }))
      } catch (error) {
        await close(0)
        throw error
      }
      return socket.server
    },
    address: () => {
      const address = supervisor.address()
      if (!address) throw new Error('the workers do not listen yet')
      return address
    },
    serve: (services) => {
      serving = { services, feed: createConfigFeed(services.configs) }
      for (const worker of supervisor.running.values()) attach(worker)
    },
    whenActive: async () => serving?.feed.whenActive(),
    configured: options.workers,
    ids: () => [...supervisor.running.keys()],
    readAll: async () => {
      const read = await askAll(supervisor.running, ({ client }) => client.call('readMetrics', undefined))
      return new Map([...read].filter((entry): entry is [number, MetricsSnapshot] => entry[1] !== undefined))
    },
    counts,
    flush: async (flushOptions = {}) => {
      await askAll(supervisor.running, ({ client }) => client.call('flush', flushOptions))
    },
    close
  }
}

/** Sends configs to a worker. Returns the function to call when the worker has ended. */
function attachToFeed(
  { feed, services: { publicUrl, isReachable } }: Serving,
  { process, client }: RunningWorker,
  log: Logger
): () => void {
  return feed.attach({
    setConfig: (config) => client.call('setConfig', config),
    activate: () => client.call('activate', { publicUrl: isReachable() ? publicUrl() : undefined }),
    kill: () => {
      if (!process.isConnected()) return
      log.error({ pid: process.process.pid }, 'a worker does not follow the changes of configs, and is ended')
      process.process.kill('SIGKILL')
    }
  })
}

/** Asks all workers. A worker that fails or does not answer in time has the result `undefined`. */
async function askAll<T>(
  running: ReadonlyMap<number, RunningWorker>,
  ask: (worker: RunningWorker) => Promise<T>
): Promise<ReadonlyMap<number, T | undefined>> {
  const asked = [...running].map(async ([id, worker]) => {
    const answer = ask(worker).catch(() => undefined)
    return [id, await withDeadline(ANSWER_MS, answer, () => undefined)] as const
  })
  return new Map(await Promise.all(asked))
}

/** Settings that a worker needs. They contain no secret, since other users of the computer can read arguments. */
function toWorkerSettings(
  options: Options,
  own: Pick<WorkerSettings, 'socketPath' | 'warmUpMs' | keyof Timeouts>
): WorkerSettings {
  const { host, port, logLevel, trustedProxies, ofrepRateLimit, sampleUsers, otlpEndpoint } = options
  return {
    ...{ host, port, logLevel, trustedProxies, ...own },
    // The limit counts the requests of all workers, and traces need the main process.
    evaluatesOfrep: ofrepRateLimit === 0,
    evaluates: otlpEndpoint === '',
    samplesUsers: sampleUsers > 0
  }
}

/** How long metrics and results wait for workers, in milliseconds. */
const ANSWER_MS = SECOND
