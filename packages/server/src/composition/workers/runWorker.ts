import cluster from 'node:cluster'
import type { Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { ReceivedEdgeConfig } from '@burgee/contract/schemas'
import { every } from '@burgee/kit'
import { bucketing } from '../../api/handlers/evaluation/bucketing.ts'
import { clientConfigs } from '../../api/handlers/evaluation/clientConfigs.ts'
import { ofrep } from '../../api/handlers/evaluation/ofrep.ts'
import { sdkEvents } from '../../api/handlers/evaluation/sdkEvents.ts'
import { createFastPath } from '../../api/http/fast/fastPath.ts'
import { forwardRequests } from '../../api/http/forwarding/forwardRequests.ts'
import { startListening, stopListening } from '../../api/http/listen.ts'
import { parseInnerBody } from '../../api/http/request/parseRequestPart.ts'
import { createReadBarrier } from '../../api/http/request/readBarrier.ts'
import { createRequestRecorder, type RequestRecorder } from '../../api/http/requestLog.ts'
import type { KeyConfigs } from '../../delivery/configs/configs.ts'
import { warmUp } from '../../delivery/configs/warmUp.ts'
import { createReplicatedConfigs } from '../../delivery/replicas/replicatedConfigs.ts'
import { type EventRecorder, openEventRecorder } from '../../insights/evaluations/eventRecorder.ts'
import { randomIdGenerator } from '../../lib/idGenerator.ts'
import { createLogger } from '../../lib/logger.ts'
import { reasonOf } from '../../lib/reasonOf.ts'
import { SECOND } from '../../lib/time.ts'
import { UncertainWriteError } from '../../storage/store.ts'
import { noStoreGauges } from '../../telemetry/metrics/gauges.ts'
import { countEvents, createMetrics } from '../../telemetry/metrics/metrics.ts'
import { readCounts } from '../../telemetry/metrics/workerMetrics.ts'
import { countProblems } from '../../telemetry/problemReporter.ts'
import { noTracing } from '../../telemetry/tracing/tracing.ts'
import type { ListenResult, MainFunctions, WorkerFunctions, WorkerSettings } from './functions.ts'
import { connectIpc, type IpcClient } from './ipc.ts'
import { createReports, type Reports } from './reports.ts'

/**
 * Runs this process as a worker (ADR 106): it answers ordinary evaluations and events with copies of the configs of the
 * main process, and forwards every other request to it. It ends with the main process.
 */
export async function runWorker(settings: WorkerSettings): Promise<void> {
  const { trustedProxies, host, port, stallTimeoutMs, requestTimeoutMs } = settings
  const now = Date.now
  const log = createLogger(settings.logLevel)
  const metrics = createMetrics({
    ...noStoreGauges,
    configs: () => 0,
    streams: () => 0,
    isWritable: () => true,
    environments: async () => []
  })
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
  const recorder = openEventRecorder(
    {
      append: async (entry) => {
        if (!(await main.call('append', entry))) throw new UncertainWriteError('the main process may have stored them')
      }
    },
    {
      now,
      id: randomIdGenerator.id,
      warn: (message) => log.warn(message),
      onDropped: (count) => metrics.droppedEvaluations.inc(count)
    }
  )
  const listener = createListener({
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
  // The main process decides when its workers stop. A terminal and service managers send these signals to all processes.
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, () => {})
  const listen = async (): Promise<ListenResult> => {
    try {
      server = await startListening(listener, { at: { host, port }, stallTimeoutMs, requestTimeoutMs })
      // The address of a server that listens on a port is an `AddressInfo`.
      return { address: server.address() as AddressInfo }
    } catch (error) {
      return { failure: reasonOf(error) }
    }
  }
  await main.call('reportListening', await listen())
  const recordCounts = async () => {
    const worker = cluster.worker?.id
    if (worker) await main.call('recordCounts', { worker, snapshot: await readCounts(metrics.registry) })
  }
  // An error means that the main process ends, and with it this one.
  every(SECOND, recordCounts, { onError: () => {} })
}

interface ListenerDependencies {
  readonly settings: WorkerSettings
  readonly main: IpcClient<MainFunctions>
  readonly reports: Reports
  readonly configs: KeyConfigs
  readonly recorder: EventRecorder
  readonly requestRecorder: RequestRecorder
  readonly onEvents: (accepted: number, refused: number) => void
  readonly now: () => number
  readonly publicUrl: () => string | undefined
  readonly isStopping: () => boolean
}

/** Composes the fast path, which forwards to the main process what it does not answer. */
function createListener({
  settings,
  main,
  reports,
  configs,
  recorder,
  requestRecorder,
  onEvents,
  now,
  publicUrl,
  isStopping
}: ListenerDependencies) {
  const { socketPath, trustedProxies, evaluatesOfrep } = settings
  const shared = {
    recorder,
    now,
    sampleUsers: { record: reports.sampleUser },
    applicationUsers: { findProperties: leaveToMain, findChoices: leaveToMain },
    configs
  }
  const { evaluateVariable, evaluateVariables, evaluateFeatures } = bucketing({
    ...shared,
    validate: parseInnerBody,
    onEvents: () => {}
  })
  const handlers = {
    ...{ evaluateVariable, evaluateVariables, evaluateFeatures },
    ...clientConfigs({ ...shared, publicUrl }),
    ...(evaluatesOfrep ? ofrep({ ...shared, announce: reports.announce }) : {}),
    // Whether a text is an SDK key is asked for texts that begin like one only.
    ...sdkEvents({ recorder, now, validate: parseInnerBody, configs: { current: leaveKeyToMain }, onEvents })
  }
  return createFastPath(
    {
      handlers,
      configs,
      now,
      // The limit counts the bytes of all workers.
      limits: { requests: undefined, bytes: leaveToMain },
      barrier: createReadBarrier({ catchUp: leaveToMain }),
      onKeyUse: reports.useKey,
      requestRecorder,
      tracing: noTracing,
      started: Promise.resolve(),
      isStopping,
      trustedProxies
    },
    forwardRequests({ socketPath, settle: () => main.call('settle', undefined), isStopping })
  )
}

/** The fast path passes a request on that fails for a reason other than its content. */
async function leaveToMain(): Promise<never> {
  throw new Error(ONLY_MAIN)
}

/** The configs of a worker may lack keys. */
function leaveKeyToMain(): never {
  throw new Error(ONLY_MAIN)
}

const ONLY_MAIN = 'only the main process can answer this request'
