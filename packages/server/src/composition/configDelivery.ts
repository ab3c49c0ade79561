import type { Options } from '../cli/options.ts'
import { type ChangeStreams, openChangeStreams } from '../delivery/changes/changeStreams.ts'
import { type Configs, type KeyConfigs, openConfigs } from '../delivery/configs/configs.ts'
import { openStreams, type Streams } from '../delivery/streams/streams.ts'
import { type StreamTimings, streamTimings } from '../delivery/streams/streamTimings.ts'
import { openSampleUsers, type SampleUsers } from '../insights/previews/sampleUsers.ts'
import type { Disposer } from '../lib/disposer.ts'
import type { Logger } from '../lib/logger.ts'
import type { Store } from '../storage/store.ts'
import type { ServerMetrics } from '../telemetry/metrics/metrics.ts'
import { createProblemReporter, type ReportProblem } from '../telemetry/problemReporter.ts'

interface Dependencies {
  readonly options: Options
  readonly store: Store
  readonly now: () => number
  readonly log: Logger
  readonly metrics: ServerMetrics
  /** The version of the server. */
  readonly serverVersion: string
  readonly timings: Partial<StreamTimings> | undefined
  /** Closes the opened services. */
  readonly disposer: Pick<Disposer, 'defer'>
}

/** The compiled configs, and the streams that announce their changes. */
export interface ConfigDelivery {
  readonly configs: Configs
  readonly sampleUsers: SampleUsers
  readonly streams: Streams
  readonly changeStreams: ChangeStreams
  readonly reportProblem: ReportProblem
}

/** Compiles the configs of all environments, and opens the streams of their changes. */
export async function openConfigDelivery({
  options,
  store,
  now,
  log,
  metrics,
  serverVersion,
  timings,
  disposer
}: Dependencies): Promise<ConfigDelivery> {
  const { reportProblem, ...listener } = createProblemReporter(log, metrics)
  const configs = await openConfigs(store, listener, { now, serverVersion })
  disposer.defer(configs.close)
  const sampleUsers = openSampleUsers(configs, { maxUsers: options.sampleUsers, random: Math.random })
  const streams = openConfigStreams(configs, { options, now, metrics, timings, disposer })
  const changeStreams = openChangeStreams(store, {
    maxStreams: options.maxStreams,
    now,
    pace: { ...streamTimings, ...timings },
    random: Math.random,
    onDrop: () => metrics.droppedStreams.inc()
  })
  disposer.defer(changeStreams.close)
  return { configs, sampleUsers, streams, changeStreams, reportProblem }
}

/** Opens the streams of changes of configs. */
export function openConfigStreams(
  configs: KeyConfigs,
  { options, now, metrics, timings, disposer }: Omit<Dependencies, 'store' | 'log' | 'serverVersion'>
): Streams {
  const { maxStreams, maxStreamsPerNetwork } = options
  const streams = openStreams(
    configs,
    { onMessage: () => metrics.streamMessages.inc(), onDrop: () => metrics.droppedStreams.inc() },
    { maxStreams, maxStreamsPerNetwork, now, pace: { ...streamTimings, ...timings }, random: Math.random }
  )
  disposer.defer(streams.close)
  return streams
}
