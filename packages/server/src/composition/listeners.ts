import type { Server } from 'node:http'
import { setTimeout } from 'node:timers/promises'
import { startListening, stopListening } from '../api/http/listen.ts'
import { createMetricsApp } from '../api/http/metricsRoute.ts'
import type { Options } from '../cli/settings.ts'
import { type StreamTimings, streamTimings } from '../delivery/streams/streamTimings.ts'
import type { Disposer } from '../lib/disposer.ts'
import type { Logger } from '../lib/logger.ts'
import type { ServerMetrics } from '../telemetry/metrics/metrics.ts'
import type { HttpServices } from './http/http.ts'
import type { Lifecycle } from './lifecycle.ts'

interface Dependencies {
  /** The streams that are closed before the listener. */
  readonly streams: readonly { readonly close: () => void }[]
  readonly options: Options
  readonly log: Logger
  readonly metrics: ServerMetrics
  readonly lifecycle: Lifecycle
  readonly http: Pick<HttpServices, 'listener' | 'closeTools'>
  readonly timings: Partial<Pick<StreamTimings, 'stallTimeoutMs'>> | undefined
  /** How long a client may take to send a request, in milliseconds. */
  readonly requestTimeoutMs?: number | undefined
  /** A server that is listening already, with another listener. */
  readonly listening?: Server | undefined
  /** Whether the server, if it is listening already or is handed over, is to stop listening. Default: yes. */
  readonly ownsServer?: (() => boolean) | undefined
  /** Closes the listeners. */
  readonly disposer: Pick<Disposer, 'defer'>
}

/**
 * Listens on the port of the API and on that of the metrics, if they have one. Requests wait until the lifecycle starts.
 * Returns the server of the API.
 */
export async function openListeners(dependencies: Dependencies): Promise<Server> {
  const { options, log, metrics, lifecycle, http, streams, ownsServer, requestTimeoutMs, disposer } = dependencies
  const { stallTimeoutMs } = { ...streamTimings, ...dependencies.timings }
  const { host, port } = options
  const timeouts = { stallTimeoutMs, requestTimeoutMs }
  const server = dependencies.listening ?? (await startListening(http.listener, { host, port, ...timeouts }))
  disposer.defer(async () => {
    if (ownsServer?.() === false) return http.closeTools()
    const lingerMs = lifecycle.lingerMs()
    await Promise.all([stopListening(server, lingerMs), setTimeout(lingerMs).then(http.closeTools)])
  })
  if (options.metricsPort !== 0) {
    const app = createMetricsApp(log, { metrics, token: options.metricsToken })
    const address = { host: options.host, port: options.metricsPort, portFlag: '--metrics-port', ...timeouts }
    const metricsServer = await startListening(app.callback(), address)
    disposer.defer(() => stopListening(metricsServer, 0))
  }
  // Closed before the listener, which open streams would keep open. Clients reconnect to other servers meanwhile.
  for (const { close } of streams) disposer.defer(close)
  // Releases the requests that wait for the start, in case it fails.
  disposer.defer(lifecycle.start)
  return server
}
