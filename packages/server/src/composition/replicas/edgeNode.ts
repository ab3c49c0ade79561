import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import type { Options } from '../../cli/options.ts'
import { warmUp } from '../../delivery/configs/warmUp.ts'
import { forwardEvents } from '../../insights/forwarding/forwardEvents.ts'
import { type Disposer, openWithDisposer } from '../../lib/disposer.ts'
import { notFound } from '../../lib/errors.ts'
import { createLogger } from '../../lib/logger.ts'
import { createUpstreamClient, UpstreamError } from '../../lib/outbound/upstreamClient.ts'
import { reasonOf } from '../../lib/reasonOf.ts'
import { MINUTE, SECOND } from '../../lib/time.ts'
import { openEventQueue } from '../../storage/events/queue/eventQueue.ts'
import { DirectoryLock } from '../../storage/lowdb/lock/directoryLock.ts'
import { lockTimings } from '../../storage/lowdb/lock/lockOptions.ts'
import { openConfigCache } from '../../storage/replicas/configCache.ts'
import { StoreUnavailableError } from '../../storage/store.ts'
import { addEdgeMetrics } from '../../telemetry/metrics/edgeMetrics.ts'
import type { Lifecycle } from '../lifecycle.ts'
import type { RunningServer, ServerDependencies } from '../runningServer.ts'
import type { ReplicaHealth } from './evaluationHttp.ts'
import { type CopySource, followAll } from './followAll.ts'
import { openReplica } from './replica.ts'

/**
 * Starts an edge node (docs/guides/edge.md): it copies the configs of the upstream, evaluates with them, and forwards
 * events. Without the upstream, it starts with the copies of an earlier run.
 */
export function startEdgeNode(options: Options, dependencies: ServerDependencies = {}): Promise<RunningServer> {
  return openWithDisposer((disposer) => openEdgeNode(options, dependencies, disposer))
}

async function openEdgeNode(
  options: Options,
  dependencies: ServerDependencies,
  disposer: Disposer
): Promise<RunningServer> {
  const { log = createLogger(options.logLevel) } = dependencies
  const onNotice = (message: string) => log.warn(message)
  const isWritable = () => queue.isWritable()
  const { now, lifecycle, metrics, configs, listen } = await openReplica({
    options,
    dependencies,
    log,
    isWritable,
    isIncomplete: () => missingCopies(sources).length > 0,
    disposer
  })
  const directory = join(options.cacheDirectory, 'edge')
  await mkdir(directory, { recursive: true, mode: 0o700 })
  const lock = await DirectoryLock.acquire(join(directory, 'edge.lock'), {
    onNotice,
    onLost: lifecycle.loseStore,
    timings: dependencies.lockTimings ?? lockTimings
  })
  disposer.defer(() => lock.release())
  const cache = await openConfigCache(directory, onNotice)
  const queue = await openEventQueue(join(directory, 'events'), { maxBytes: options.edgeQueueMib * 2 ** 20 })
  disposer.defer(() => queue.close())
  const client = createUpstreamClient(options.upstream, now)
  const sources = await followAll({ options, configs, cache, client, log, now })
  disposer.defer(async () => {
    for (const { config } of sources) config.close()
    await Promise.all(sources.map(({ config }) => config.whenWritten()))
  })
  const findKey = (environment: string) => sources.find(({ config }) => config.environment() === environment)?.key
  const forwarder = forwardEvents({
    queue,
    client,
    findKey,
    random: Math.random,
    onForwarded: (entries) => edgeMetrics.forwarded.inc(entries),
    onNotice
  })
  disposer.defer(forwarder.close)
  const ageSeconds = () => ageOf(sources, now())
  const edgeMetrics = addEdgeMetrics(metrics.registry, {
    configAgeSeconds: ageSeconds,
    failing: () => sources.filter(({ config }) => config.failure() !== undefined).length,
    queueBytes: queue.bytes
  })
  const { url } = await listen({
    append: async (entry) => {
      await queue.append(entry)
      metrics.evaluations.add(entry)
    },
    warn: onNotice,
    catchUp: (environment, lastModified) => catchUp(sources, environment, lastModified),
    health: describeHealth({ sources, lifecycle, isWritable, ageSeconds }),
    fallback: refuseOthers
  })
  // Before the first answer: a key that was revoked while the edge node was down must not be accepted.
  await Promise.race([
    Promise.all(sources.map(({ config }) => config.refresh().catch(() => {}))),
    new Promise((resolve) => setTimeout(resolve, FIRST_COPY_MS).unref())
  ])
  lifecycle.start()
  const { warmUpMs: limitMs = 0 } = dependencies
  await lifecycle.warmUp(() => warmUp(configs.all(), { ...lifecycle, limitMs }))
  return {
    url,
    demo: undefined,
    signInLink: undefined,
    needsPerson: false,
    administrator: undefined,
    close: lifecycle.close,
    closed: lifecycle.closed
  }
}

async function catchUp(sources: readonly CopySource[], environment: string, lastModified: number): Promise<void> {
  const own = sources.filter(({ config }) => config.environment() === environment)
  try {
    await Promise.any(own.map(({ config }) => config.refresh(lastModified)))
  } catch (error) {
    const failures = error instanceof AggregateError ? error.errors : [error]
    // The copy of a refused key is gone, and the caller is authenticated again.
    if (failures.every((failure) => failure instanceof UpstreamError && failure.isRefusal)) return
    throw new StoreUnavailableError(`the config cannot be read: ${reasonOf(failures[0])}`, { cause: error })
  }
}

interface HealthDependencies {
  readonly sources: readonly CopySource[]
  readonly lifecycle: Pick<Lifecycle, 'findStoreLoss'>
  readonly isWritable: () => boolean
  readonly ageSeconds: () => number | undefined
}

function describeHealth({ sources, lifecycle, isWritable, ageSeconds }: HealthDependencies): ReplicaHealth {
  return {
    findProblem: () => lifecycle.findStoreLoss() ?? findMissingCopy(sources),
    findWriteProblem: () => (isWritable() ? undefined : 'events cannot be stored'),
    describeConfigs: () => {
      const age = ageSeconds()
      const isDegraded = sources.some(({ config }) => config.failure()) && (age ?? Infinity) * SECOND > DEGRADED_MS
      return { status: isDegraded ? 'degraded' : 'ok', configAgeSeconds: age }
    }
  }
}

/** Returns the age of the oldest copy in seconds. */
function ageOf(sources: readonly CopySource[], now: number): number | undefined {
  const times = sources.flatMap(({ config }) => config.checkedAt() ?? [])
  return times.length === 0 ? undefined : Math.max(0, Math.round((now - Math.min(...times)) / SECOND))
}

/** Returns why the edge node cannot serve all environments; refused keys do not count unless there are no others. */
function findMissingCopy(sources: readonly CopySource[]): string | undefined {
  if (missingCopies(sources).length > 0) return 'a config has not been copied from the upstream yet'
  const isRefused = sources.every(({ config }) => config.isRefused())
  return isRefused ? 'the upstream refuses all keys in BURGEE_EDGE_KEYS' : undefined
}

/** Returns the sources that have no copy yet. */
function missingCopies(sources: readonly CopySource[]): readonly CopySource[] {
  return sources.filter(({ config }) => config.environment() === undefined && !config.isRefused())
}

/** @throws {HttpError} 404 */
function refuseOthers(): never {
  throw notFound('an edge node serves evaluations, configs, streams and events; send other requests to its upstream')
}

/** The age of a copy from which an edge node reports that it cannot be updated, so that short breaks alert no one. */
const DEGRADED_MS = MINUTE

/** How long the first requests wait for copies that are current. */
const FIRST_COPY_MS = 2 * SECOND
