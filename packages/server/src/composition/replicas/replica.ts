import type { RequestListener } from 'node:http'
import type { Options } from '../../cli/options.ts'
import type { KeyConfigs } from '../../delivery/configs/configs.ts'
import { createReplicatedConfigs, type ReplicatedConfigs } from '../../delivery/replicas/replicatedConfigs.ts'
import { openEventRecorder } from '../../insights/evaluations/eventRecorder.ts'
import type { Disposer } from '../../lib/disposer.ts'
import { randomIdGenerator } from '../../lib/idGenerator.ts'
import type { Logger } from '../../lib/logger.ts'
import { noStoreGauges } from '../../telemetry/metrics/gauges.ts'
import { createMetrics, type ServerMetrics } from '../../telemetry/metrics/metrics.ts'
import { createProblemReporter } from '../../telemetry/problemReporter.ts'
import { openTracing } from '../../telemetry/tracing/openTracing.ts'
import { packageVersion } from '../../version.ts'
import { openConfigStreams } from '../configDelivery.ts'
import { createLifecycle, type Lifecycle } from '../lifecycle.ts'
import { type Listening, openListeners } from '../listeners.ts'
import { createPublicAddress } from '../publicAddress.ts'
import type { ServerDependencies } from '../runningServer.ts'
import type { WorkerPool } from '../workers/workerPool.ts'
import { composeEvaluationHttp } from './evaluationHttp.ts'

/**
 * What evaluates with copies of configs, without a store: an edge node, a server whose database is unavailable, or a
 * server for development.
 */
export interface Replica {
  readonly now: () => number
  readonly lifecycle: Lifecycle
  readonly metrics: ServerMetrics
  readonly configs: ReplicatedConfigs
  /** Opens the recorder of events, the streams and the listeners. Requests wait until the lifecycle starts. */
  readonly listen: (service: ReplicaService) => Promise<{ readonly listening: Listening; readonly url: string }>
}

interface ReplicaService
  extends Pick<Parameters<typeof composeEvaluationHttp>[0], 'catchUp' | 'health' | 'fallback' | 'applicationUsers'>,
    Pick<Parameters<typeof openListeners>[0], 'ownsServer'> {
  /** Stores the evaluations that were counted, and events. */
  readonly append: Parameters<typeof openEventRecorder>[0]['append']
  /** Reports counted evaluations that could not be stored. */
  readonly warn: (message: string) => void
  /** Sees requests before everything else. */
  readonly guard?: (listener: RequestListener) => RequestListener
}

interface Dependencies {
  readonly options: Options
  readonly dependencies: ServerDependencies
  readonly log: Logger
  readonly isWritable: () => boolean
  /** Whether configs are missing. Default: none. */
  readonly isIncomplete?: KeyConfigs['isIncomplete']
  /** Listens instead of this process, if there are workers. */
  readonly workers?: WorkerPool | undefined
  /** Decides which SDK keys are accepted. Default: those of the configs. */
  readonly acceptKeys?: (configs: KeyConfigs) => KeyConfigs
  readonly disposer: Disposer
}

/** Opens what all replicas share. Closing the lifecycle closes it. */
export async function openReplica({
  options,
  dependencies,
  log,
  isWritable,
  isIncomplete = () => false,
  workers,
  acceptKeys = (configs) => configs,
  disposer
}: Dependencies): Promise<Replica> {
  const { now = Date.now, ids = randomIdGenerator, streamTimings: timings, requestTimeoutMs } = dependencies
  const lifecycle = createLifecycle(disposer, log)
  const tracing = await openTracing({ endpoint: options.otlpEndpoint, serverVersion: packageVersion(), log })
  disposer.defer(tracing.close)
  let openStreams = () => 0
  const configs = createReplicatedConfigs({
    onProblem: (environment, problem) => reporter.onProblem(environment, problem),
    isIncomplete
  })
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
    listen: async ({ append, warn, ownsServer, guard = (listener) => listener, ...service }) => {
      const accepted = acceptKeys(configs)
      const recorder = openEventRecorder(
        { append },
        { now, id: ids.id, warn, onDropped: (count) => metrics.droppedEvaluations.inc(count) }
      )
      disposer.defer(recorder.close)
      const streams = openConfigStreams(accepted, { options, now, metrics, timings, disposer })
      openStreams = streams.size
      const address = createPublicAddress(options.publicUrl, { log })
      const listener = await composeEvaluationHttp({
        ...address,
        ...service,
        options,
        configs: accepted,
        streams,
        recorder,
        metrics,
        tracing,
        lifecycle,
        log,
        now,
        ids
      })
      const listening = await openListeners({
        options,
        log,
        metrics,
        lifecycle,
        http: { listener: guard(listener), closeTools: async () => {} },
        streams: [streams],
        workers,
        ownsServer,
        timings,
        requestTimeoutMs,
        disposer
      })
      return { listening, url: address.listenOn(listening) }
    }
  }
}
