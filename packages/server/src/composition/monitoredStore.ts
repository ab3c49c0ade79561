import type { Options } from '../cli/options.ts'
import type { Disposer } from '../lib/disposer.ts'
import type { Logger } from '../lib/logger.ts'
import type { LockTimings } from '../storage/lowdb/lock/lockOptions.ts'
import { type OpenedStore, openStore } from '../storage/open/openStore.ts'
import type { Store, StoreLostError } from '../storage/store.ts'
import type { GaugeSources } from '../telemetry/metrics/gauges.ts'
import type { ServerMetrics } from '../telemetry/metrics/metrics.ts'
import { openMetrics } from '../telemetry/metrics/openMetrics.ts'
import type { WorkerSources } from '../telemetry/metrics/workerMetrics.ts'
import { reportEmergencies } from '../telemetry/reportEmergencies.ts'
import { openTracing } from '../telemetry/tracing/openTracing.ts'
import { traceStore } from '../telemetry/tracing/traceStore.ts'
import type { Tracing } from '../telemetry/tracing/tracing.ts'

interface Dependencies {
  readonly options: Options
  readonly now: () => number
  readonly log: Logger
  /** The version of the server. */
  readonly serverVersion: string
  /** Called if another process takes over the store. */
  readonly onLost: (loss: StoreLostError) => void
  readonly lockTimings: LockTimings | undefined
  /** The program of the thread that compacts a store in a directory. */
  readonly compactionProgram: URL
  /** What the metrics read about configs and streams, which are opened after the store. */
  readonly gauges: Pick<GaugeSources, 'configs' | 'streams'>
  /** The metrics of workers, if there are any. */
  readonly workers: WorkerSources | undefined
  /** Closes the opened services. */
  readonly disposer: Pick<Disposer, 'defer'>
}

/** The store of a server, with the traces and metrics of it. */
export interface MonitoredStore
  extends Pick<
    OpenedStore,
    'location' | 'assertOwned' | 'mayHaveFormerOwner' | 'runExclusively' | 'follow' | 'catchUp' | 'claim'
  > {
  /** The store; its transactions are traced. */
  readonly store: Store
  readonly tracing: Tracing
  readonly metrics: ServerMetrics
}

/** Opens tracing, the store and its metrics, and reports emergencies. Tracing closes last. */
export async function openMonitoredStore({
  options,
  now,
  log,
  serverVersion,
  onLost,
  lockTimings,
  compactionProgram,
  gauges,
  workers,
  disposer
}: Dependencies): Promise<MonitoredStore> {
  const tracing = await openTracing({ endpoint: options.otlpEndpoint, serverVersion, log })
  // Deferred first, so that it closes last: requests that finish during the shutdown still end spans.
  disposer.defer(tracing.close)
  const opened = await openStore(options.store, {
    onNotice: (message, level = 'warn') => log[level](message),
    onLost,
    encryption: { keys: options.encryptionKey },
    maxConnections: options.storeConnections,
    pollMs: options.storePollMs,
    listens: options.storeNotifications === 'on',
    random: Math.random,
    compactionProgram,
    ...(lockTimings ? { timings: lockTimings } : {})
  })
  disposer.defer(() => opened.close())
  const store = traceStore(opened, tracing)
  const metrics = openMetrics(store, { ...gauges, now, expiryWarningDays: options.expiryWarningDays }, workers)
  disposer.defer(reportEmergencies(store, { log, metrics }))
  return {
    store,
    tracing,
    metrics,
    location: opened.location,
    assertOwned: () => opened.assertOwned(),
    mayHaveFormerOwner: opened.mayHaveFormerOwner === true,
    runExclusively: (name, start) => opened.runExclusively(name, start),
    follow: () => opened.follow(),
    ...(opened.catchUp ? { catchUp: opened.catchUp.bind(opened) } : {}),
    ...(opened.claim ? { claim: opened.claim.bind(opened) } : {})
  }
}
