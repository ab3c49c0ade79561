import type { RequestListener, Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout } from 'node:timers/promises'
import { startListening, stopListening } from '../api/http/listen.ts'
import { createMetricsApp } from '../api/http/metricsRoute.ts'
import type { Options } from '../cli/options.ts'
import { type StreamTimings, streamTimings } from '../delivery/streams/streamTimings.ts'
import type { Disposer } from '../lib/disposer.ts'
import type { Logger } from '../lib/logger.ts'
import type { ServerMetrics } from '../telemetry/metrics/metrics.ts'
import type { HttpServices } from './http/http.ts'
import type { Lifecycle } from './lifecycle.ts'
import type { WorkerPool } from './workers/workerPool.ts'

interface Dependencies {
  /** The streams to close with the listener, which they would otherwise keep open. */
  readonly streams: readonly { readonly close: () => void }[]
  readonly options: Options
  readonly log: Logger
  readonly metrics: ServerMetrics
  readonly lifecycle: Lifecycle
  readonly http: Pick<HttpServices, 'listener' | 'closeTools'>
  readonly timings: Partial<Pick<StreamTimings, 'stallTimeoutMs'>> | undefined
  /** How long a client may take to send a request, in milliseconds. */
  readonly requestTimeoutMs?: number | undefined
  /** A server that is listening already, with another request listener. */
  readonly listening?: Listening | undefined
  /** Listens instead of this process, if there are workers. */
  readonly workers: WorkerPool | undefined
  /** Whether the server, if it is listening already or is handed over, is to stop listening. Default: yes. */
  readonly ownsServer?: (() => boolean) | undefined
  /** Closes the listeners. */
  readonly disposer: Pick<Disposer, 'defer'>
}

/** A server that accepts requests of the API. */
export interface Listening {
  /** Its callback handles the requests; with workers, those that workers forward. */
  readonly server: Server
  /** The address at which clients reach it. */
  readonly address: () => AddressInfo
  /** Serves the metrics, if they have a port of their own. */
  readonly metricsServer?: Server | undefined
}

/** The listeners of a server, and the callback of its metrics. */
interface OpenedListeners extends Listening {
  /** Answers requests for metrics at their own port. */
  readonly metricsListener: RequestListener
}

/**
 * Listens on the port of the API and on that of the metrics, if they have one. Requests wait until the lifecycle
 * starts. A server that is listening already keeps its callbacks.
 */
export async function openListeners(dependencies: Dependencies): Promise<OpenedListeners> {
  const { options, log, metrics, lifecycle, http, streams, workers, ownsServer, requestTimeoutMs, disposer } =
    dependencies
  const { stallTimeoutMs } = { ...streamTimings, ...dependencies.timings }
  const { host, port } = options
  const timeouts = { stallTimeoutMs, requestTimeoutMs }
  const onConnectionDropped = () => metrics.droppedConnections.inc()
  const listen = async (): Promise<Listening> => {
    if (workers) return { server: await workers.listen(http.listener, timeouts), address: workers.address }
    const server = await startListening(http.listener, { at: { host, port }, ...timeouts, onConnectionDropped })
    // The address of a server that listens on a port is an `AddressInfo`.
    return { server, address: () => server.address() as AddressInfo }
  }
  const listening = dependencies.listening ?? (await listen())
  let metricsServer: Server | undefined
  const closeServices = async () => {
    for (const { close } of streams) close()
    await http.closeTools()
  }
  disposer.defer(async () => {
    if (ownsServer?.() === false) return closeServices()
    const lingerMs = lifecycle.lingerMs()
    await Promise.all([
      workers ? workers.close(lingerMs) : stopListening(listening.server, lingerMs),
      setTimeout(lingerMs).then(closeServices),
      metricsServer && stopListening(metricsServer, lingerMs)
    ])
  })
  const metricsListener = createMetricsApp(log, { metrics, token: options.metricsToken }).callback()
  const listenForMetrics = async (): Promise<Server | undefined> => {
    if (options.metricsPort === 0) return undefined
    const at = { host, port: options.metricsPort, portFlag: '--metrics-port' }
    return startListening(metricsListener, { at, ...timeouts })
  }
  metricsServer = dependencies.listening ? listening.metricsServer : await listenForMetrics()
  // Releases the requests that wait for the start, in case it fails.
  disposer.defer(lifecycle.start)
  return { ...listening, metricsServer, metricsListener }
}
