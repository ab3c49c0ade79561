import type { Worker } from 'node:cluster'
import type { AddressInfo } from 'node:net'
import { backoff, withDeadline } from '@burgee/kit'
import { OptionError } from '../../lib/errors.ts'
import type { Logger } from '../../lib/logger.ts'
import { MINUTE, SECOND } from '../../lib/time.ts'
import type { ServiceFunctions, WorkerFunctions, WorkerSettings } from './functions.ts'
import type { IpcClient } from './ipc.ts'
import { forkWorker, type WorkerExit } from './workerProcess.ts'

/** A worker that listens. */
export interface RunningWorker {
  readonly process: Worker
  readonly client: IpcClient<WorkerFunctions>
}

/** Keeps workers running: replaces each one that ends, with growing delays, until `stop` is called. */
export interface WorkerSupervisor {
  /** The workers that listen, by their ids. */
  readonly running: ReadonlyMap<number, RunningWorker>
  /** Where the workers listen; `undefined` before the first one does. */
  readonly address: () => AddressInfo | undefined
  /**
   * Starts the workers. Resolves when all of them listen.
   * @throws {OptionError} if the address is unavailable.
   */
  readonly start: (count: number, settings: WorkerSettings) => Promise<void>
  /** Lets the workers finish their requests, `lingerMs` milliseconds later, and ends them. */
  readonly stop: (lingerMs: number) => Promise<void>
}

interface Dependencies {
  readonly program: URL
  readonly functions: ServiceFunctions
  readonly log: Logger
  readonly onRunning: (worker: RunningWorker) => void
  /** Called with the id of a worker that ended, which was running or not. */
  readonly onEnded: (id: number) => void
}

/** Creates a supervisor. It has no workers until `start` is called. */
export function createWorkerSupervisor(dependencies: Dependencies): WorkerSupervisor {
  const { program, functions, log, onRunning, onEnded } = dependencies
  const processes = new Set<Worker>()
  const running = new Map<number, RunningWorker>()
  let address: AddressInfo | undefined
  let isStopping = false

  const startWorker = async (settings: WorkerSettings, delays: Delays): Promise<void> => {
    const startedAt = performance.now()
    const onExit = (exit: WorkerExit) => {
      running.delete(forked.id)
      processes.delete(forked)
      onEnded(forked.id)
      if (isStopping || address === undefined) return
      log.error({ pid: forked.process.pid, ...exit }, 'a worker has ended; another one is started')
      if (performance.now() - startedAt > HEALTHY_MS) delays.reset()
      setTimeout(() => isStopping || startWorker(settings, delays).catch(() => {}), delays.next()).unref()
    }
    const { process: forked, client, started } = forkWorker({ program, settings, functions, onExit })
    processes.add(forked)
    const { address: listening, failure } = await started
    if (failure !== undefined) {
      if (address !== undefined) log.error({ pid: forked.process.pid }, failure)
      forked.process.kill('SIGKILL')
      throw new OptionError(failure)
    }
    address ??= listening
    if (isStopping) {
      client.call('stop', { lingerMs: 0 }).catch(() => {})
      return
    }
    const worker = { process: forked, client }
    running.set(forked.id, worker)
    onRunning(worker)
  }
  return {
    running,
    address: () => address,
    start: async (count, settings) => {
      await Promise.all(Array.from({ length: count }, () => startWorker(settings, createDelays())))
    },
    stop: async (lingerMs) => {
      isStopping = true
      // Those that are starting stop when they listen.
      for (const worker of running.values()) void stopWorker(worker, lingerMs)
      await Promise.all([...processes].map((process) => waitForExit(process, lingerMs + STOP_MS)))
    }
  }
}

type Delays = ReturnType<typeof backoff>

function createDelays(): Delays {
  return backoff({ initialMs: FIRST_RESTART_MS, maxMs: MAX_RESTART_MS, random: Math.random })
}

/** Tells a worker to stop, and kills it if it does not respond: a paused process would never end by itself. */
async function stopWorker({ process, client }: RunningWorker, lingerMs: number): Promise<void> {
  const acknowledged = client.call('stop', { lingerMs }).catch(() => {})
  await withDeadline(RESPONSE_MS, acknowledged, () => void process.process.kill('SIGKILL'))
}

/** Waits for the end of a worker, and kills it after `limitMs` milliseconds. */
async function waitForExit(worker: Worker, limitMs: number): Promise<void> {
  const exited = new Promise<void>((resolve) => worker.once('exit', () => resolve()))
  await withDeadline(limitMs, exited, () => void worker.process.kill('SIGKILL'))
}

/** The first and the longest delay before a worker is replaced, in milliseconds. */
const FIRST_RESTART_MS = 50
const MAX_RESTART_MS = 10 * SECOND

/** The delays start over after a worker that ran longer than this, in milliseconds. */
const HEALTHY_MS = MINUTE

/** How long a worker may take to respond, in milliseconds: the same limit as for applying a change. */
const RESPONSE_MS = 5 * SECOND

/** How long a worker may take to finish its requests, in milliseconds; longer than its own limits together. */
const STOP_MS = 10 * SECOND
