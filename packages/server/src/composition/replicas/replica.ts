import type { Server } from 'node:http'
import type { Options } from '../../cli/settings.ts'
import { createReplicatedConfigs, type ReplicatedConfigs } from '../../delivery/replicas/replicatedConfigs.ts'
import { type ExpiryCounts, expiringKinds } from '../../flags/expiry/listExpiring.ts'
import { openEventRecorder } from '../../insights/evaluations/eventRecorder.ts'
import type { Disposer } from '../../lib/disposer.ts'
import { randomIdGenerator } from '../../lib/idGenerator.ts'
import type { Logger } from '../../lib/logger.ts'
import type { GaugeSources } from '../../telemetry/metrics/gauges.ts'
import { createMetrics, type ServerMetrics } from '../../telemetry/metrics/metrics.ts'
import { createProblemReporter } from '../../telemetry/problemReporter.ts'
import { openTracing } from '../../telemetry/tracing/openTracing.ts'
import { packageVersion } from '../../version.ts'
import { openConfigStreams } from '../configDelivery.ts'
import { createLifecycle, type Lifecycle } from '../lifecycle.ts'
import { openListeners } from '../listeners.ts'
import { createPublicAddress } from '../publicAddress.ts'
import type { ServerDependencies } from '../runningServer.ts'
import { composeEvaluationHttp } from './evaluationHttp.ts'

/** What evaluates with copies of configs, without a store: an edge node, or a server whose database is unavailable. */
export interface Replica {
  readonly now: () => number
  readonly lifecycle: Lifecycle
  readonly metrics: ServerMetrics
  readonly configs: ReplicatedConfigs
  /** Opens the recorder of events, the streams and the listeners. Requests wait until the lifecycle starts. */
  readonly listen: (service: ReplicaService) => Promise<{ readonly server: Server; readonly url: string }>
}

interface ReplicaService
  extends Pick<Parameters<typeof composeEvaluationHttp>[0], 'catchUp' | 'health' | 'fallback'>,
    Pick<Parameters<typeof openListeners>[0], 'ownsServer'> {
  /** Stores the evaluations that were counted, and events. */
  readonly append: Parameters<typeof openEventRecorder>[0]['append']
  /** Reports counted evaluations that could not be stored. */
  readonly warn: (message: string) => void
}

interface Dependencies {
  readonly options: Options
  readonly dependencies: ServerDependencies
  readonly log: Logger
  readonly isWritable: () => boolean
  readonly disposer: Disposer
}

/** Opens what all replicas share. Closing the lifecycle closes it. */
export async function openReplica({
  options,
  dependencies,
  log,
  isWritable,
  disposer
}: Dependencies): Promise<Replica> {
  const { now = Date.now, ids = randomIdGenerator, streamTimings: timings, requestTimeoutMs } = dependencies
  const lifecycle = createLifecycle(disposer, log)
  const tracing = await openTracing({ endpoint: options.otlpEndpoint, serverVersion: packageVersion(), log })
  disposer.defer(tracing.close)
  let openStreams = () => 0
  const configs = createReplicatedConfigs((environment, problem) => reporter.onProblem(environment, problem))
  const metrics = createMetrics({
    ...noStoreGauges,
    configs: () => configs.environments().length,
    streams: () => openStreams(),
    isWritable,
    environments: async () => configs.environments()
  })
  const reporter = createProblemReporter(log, metrics)
  return {
    now,
    lifecycle,
    metrics,
    configs,
    listen: async ({ append, warn, ownsServer, ...service }) => {
      const recorder = openEventRecorder(
        { append },
        { now, warn, onDropped: (count) => metrics.droppedEvaluations.inc(count) }
      )
      disposer.defer(recorder.close)
      const streams = openConfigStreams(configs, { options, now, metrics, timings, disposer })
      openStreams = streams.size
      const address = createPublicAddress(options.publicUrl, log)
      const listener = await composeEvaluationHttp({
        ...address,
        ...service,
        options,
        configs,
        streams,
        recorder,
        metrics,
        tracing,
        lifecycle,
        log,
        now,
        ids
      })
      const server = await openListeners({
        // A complete server that takes over opens the port of the metrics.
        options: ownsServer ? { ...options, metricsPort: 0 } : options,
        log,
        metrics,
        lifecycle,
        http: { listener, closeTools: async () => {} },
        streams: [streams],
        ownsServer,
        timings,
        requestTimeoutMs,
        disposer
      })
      return { server, url: address.listenOn(server) }
    }
  }
}

/** The gauges of what only a store has. */
const noStoreGauges: Pick<GaugeSources, 'expiring' | 'pendingDeliveries' | 'outbox'> = {
  expiring: async () =>
    // `fromEntries` does not keep the names of the members.
    Object.fromEntries(expiringKinds.map((kind) => [kind, { expiring: 0, expired: 0 }])) as ExpiryCounts,
  pendingDeliveries: async () => 0,
  outbox: async () => 0
}
