import cluster from 'node:cluster'
import type { Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { ReceivedEdgeConfig } from '@burgee/contract/schemas'
import { every } from '@burgee/kit'
import { startListening, stopListening } from '../../api/http/listen.ts'
import { createRequestRecorder } from '../../api/http/requestLog.ts'
import { warmUp } from '../../delivery/configs/warmUp.ts'
import { createReplicatedConfigs } from '../../delivery/replicas/replicatedConfigs.ts'
import { type EventRecorder, openEventRecorder } from '../../insights/evaluations/eventRecorder.ts'
import { randomIdGenerator } from '../../lib/idGenerator.ts'
import { createLogger, type Logger } from '../../lib/logger.ts'
import { reasonOf } from '../../lib/reasonOf.ts'
import { SECOND } from '../../lib/time.ts'
import { UncertainWriteError } from '../../storage/store.ts'
import { noStoreGauges } from '../../telemetry/metrics/gauges.ts'
import { countEvents, createMetrics, type ServerMetrics } from '../../telemetry/metrics/metrics.ts'
import { readCounts } from '../../telemetry/metrics/workerMetrics.ts'
import { countProblems } from '../../telemetry/problemReporter.ts'
import type { ListenResult, MainFunctions, WorkerFunctions, WorkerSettings } from './functions.ts'
import { connectIpc, type IpcClient } from './ipc.ts'
import { createReports } from './reports.ts'
import { createWorkerListener } from './workerListener.ts'

/**
 * Runs this process as a worker (ADR 106): it answers ordinary evaluations and events with copies of the configs of the
 * main process, and forwards every other request to it. It ends with the main process.
 */
export async function runWorker(settings: WorkerSettings): Promise<void> {
  const { trustedProxies, host, port, stallTimeoutMs, requestTimeoutMs } = settings
  const now = Date.now
  const log = createLogger(settings.logLevel)
  const metrics = createWorkerMetrics()
  let isActive = false
  let publicUrl: string | undefined
  let isStopping = false
  let server: Server | undefined

  const functions: WorkerFunctions = {
    setConfig: ({ environment, text }) => {
      if (text === undefined) configs.remove(environment)
      // The main process, which is of the same version, has built it.
      else configs.set(environment, JSON.parse(text) as ReceivedEdgeConfig)
    },
    activate: async (activated) => {
      if (!settings.evaluates) return
      publicUrl = activated.publicUrl
      await warmUp(configs.all(), { limitMs: settings.warmUpMs, isStopping: () => isStopping })
      isActive = true
    },
    flush: (options) => recorder.flush(options),
    readMetrics: () => metrics.registry.getMetricsAsJSON(),
    stop: ({ lingerMs }) => {
      isStopping = true
      void finish(lingerMs)
    }
  }
  const finish = async (lingerMs: number) => {
    if (server) await stopListening(server, lingerMs)
    await recorder.close()
    process.exit(0)
  }
  const main = connectIpc<MainFunctions>(process, functions)
  const reports = createReports({ main, now, samplesUsers: settings.samplesUsers })
  const configs = createReplicatedConfigs({
    onProblem: countProblems(metrics, reports.reportProblem),
    // The main process answers requests with other keys.
    isIncomplete: () => true
  })
  const recorder = openWorkerRecorder(main, { now, log, metrics })
  const listener = createWorkerListener({
    settings,
    main,
    reports,
    configs: { ...configs, current: (sdkKey) => (isActive ? configs.current(sdkKey) : undefined) },
    recorder,
    requestRecorder: createRequestRecorder({ log, metrics, trustedProxies }),
    onEvents: countEvents(metrics),
    now,
    publicUrl: () => publicUrl,
    isStopping: () => isStopping
  })
  // The main process decides when its workers stop. A terminal and service managers send these signals to all
  // processes.
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, () => {})
  const listen = async (): Promise<ListenResult> => {
    try {
      const onConnectionDropped = () => metrics.droppedConnections.inc()
      const at = { host, port }
      server = await startListening(listener, { at, stallTimeoutMs, requestTimeoutMs, onConnectionDropped })
      // The address of a server that listens on a port is an `AddressInfo`.
      return { address: server.address() as AddressInfo }
    } catch (error) {
      return { failure: reasonOf(error) }
    }
  }
  await main.call('reportListening', await listen())
  reportCounts(main, metrics)
}

/** The metrics of a worker. The main process measures what all processes share. */
function createWorkerMetrics(): ServerMetrics {
  return createMetrics({
    ...noStoreGauges,
    configs: () => 0,
    streams: () => 0,
    isWritable: () => true,
    environments: async () => []
  })
}

interface RecorderDependencies {
  readonly now: () => number
  readonly log: Logger
  readonly metrics: Pick<ServerMetrics, 'droppedEvaluations'>
}

/** Opens the recorder of a worker, which appends to the event store of the main process. */
function openWorkerRecorder(
  main: IpcClient<MainFunctions>,
  { now, log, metrics }: RecorderDependencies
): EventRecorder {
  const append: EventRecorder['append'] = async (entry) => {
    if (!(await main.call('append', entry))) throw new UncertainWriteError('the main process may have stored them')
  }
  return openEventRecorder(
    { append },
    {
      now,
      id: randomIdGenerator.id,
      warn: (message) => log.warn(message),
      onDropped: (count) => metrics.droppedEvaluations.inc(count)
    }
  )
}

/** Reports the counts of this worker every second. */
function reportCounts(main: IpcClient<MainFunctions>, { registry }: Pick<ServerMetrics, 'registry'>): void {
  const report = async () => {
    const worker = cluster.worker?.id
    if (worker) await main.call('recordCounts', { worker, snapshot: await readCounts(registry) })
  }
  // An error means that the main process ends, and with it this one.
  every(SECOND, report, { onError: () => {} })
}
