import type { RequestListener } from 'node:http'
import { createApp } from '../../api/http/app.ts'
import { createFastPath } from '../../api/http/fast/fastPath.ts'
import { metricsRoute } from '../../api/http/metricsRoute.ts'
import { createReadBarrier } from '../../api/http/request/readBarrier.ts'
import { createRequestRecorder } from '../../api/http/requestLog.ts'
import { routes } from '../../api/http/routes.ts'
import type { Options } from '../../cli/options.ts'
import { createAnnounceStream } from '../../delivery/streams/streamAnnouncement.ts'
import { createRateLimit, limitPerNetwork } from '../../lib/limits/rateLimiter.ts'
import { countEvents, type ServerMetrics } from '../../telemetry/metrics/metrics.ts'
import type { Lifecycle } from '../lifecycle.ts'
import type { PublicAddress } from '../publicAddress.ts'

type AppDependencies = Parameters<typeof createApp>[0]
type RouteDependencies = Parameters<typeof routes>[0]
type BarrierDependencies = Parameters<typeof createReadBarrier>[0]

interface Dependencies
  extends Omit<AppDependencies, 'metrics' | 'requestRecorder' | 'isStopping' | 'trustedProxies' | 'routers'>,
    Omit<RouteDependencies, 'limits' | 'barrier' | 'onUserSignature'>,
    BarrierDependencies {
  readonly options: Options
  readonly metrics: ServerMetrics
  readonly lifecycle: Lifecycle
  /** The limits of operations that a server without a store does not have. */
  readonly limits: Pick<RouteDependencies['limits'], 'management' | 'userData'>
  /** The routers before those of the handlers. */
  readonly routersBefore: AppDependencies['routers']
  /** The routers after those of the handlers. */
  readonly routersAfter?: AppDependencies['routers']
}

/**
 * Composes what answers requests: the application with the routes of the handlers, and the fast path before it (ADR
 * 98).
 */
export function composeRequests({
  options,
  lifecycle: { started, isStopping },
  limits,
  ownCorsRoutes,
  routersBefore,
  routersAfter = [],
  ...parts
}: Dependencies): { readonly application: RequestListener; readonly listener: RequestListener } {
  const { metrics } = parts
  const { trustedProxies, ofrepRateLimit, eventsRateLimit, metricsPort, metricsToken } = options
  const shared = {
    ...parts,
    requestRecorder: createRequestRecorder({ ...parts, trustedProxies }),
    barrier: createReadBarrier(parts),
    limits: {
      ...limits,
      requests: ofrepRateLimit === 0 ? undefined : createRateLimit(ofrepRateLimit, 'OFREP requests with this key'),
      bytes: limitPerNetwork(createRateLimit(eventsRateLimit * 2 ** 20, 'bytes of events from this network'))
    },
    started,
    isStopping,
    trustedProxies
  }
  const app = createApp({
    ...shared,
    ownCorsRoutes: [...ownCorsRoutes, ...(metricsPort === 0 ? [metricsRoute({ metrics, token: metricsToken })] : [])],
    routers: [
      (_ctx, next) => started.then(next),
      ...routersBefore,
      ...routes({ ...shared, onUserSignature: (result) => metrics.userSignatures.inc({ result }) }),
      ...routersAfter
    ]
  })
  const application = app.callback()
  return { application, listener: createFastPath(shared, application) }
}

interface DeliveryDependencies extends Pick<PublicAddress, 'publicUrl' | 'isReachable'> {
  readonly options: Options
  readonly metrics: ServerMetrics
  readonly streams: Parameters<typeof createAnnounceStream>[0]['streams']
  readonly streamTokens: RouteDependencies['streamTokens']
}

/** Composes the dependencies of the handlers that deliver configs and take events. */
export function composeDelivery({
  options,
  metrics,
  streams,
  streamTokens,
  publicUrl,
  isReachable
}: DeliveryDependencies) {
  return {
    publicUrl: () => (isReachable() ? publicUrl() : undefined),
    announce: createAnnounceStream({ streams, issue: streamTokens.issue, publicUrl: options.publicUrl }),
    onEvents: countEvents(metrics)
  }
}
