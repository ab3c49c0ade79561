import type { RequestListener } from 'node:http'
import { createEvaluationHandlers } from '../../api/handlers/handlers.ts'
import { type ConfigHealth, healthRoutes } from '../../api/http/healthRoutes.ts'
import { currentNames } from '../../api/http/request/legacyNames.ts'
import { parseInnerBody } from '../../api/http/request/parseRequestPart.ts'
import type { createReadBarrier } from '../../api/http/request/readBarrier.ts'
import type { Options } from '../../cli/options.ts'
import type { KeyConfigs } from '../../delivery/configs/configs.ts'
import type { Streams } from '../../delivery/streams/streams.ts'
import { openSigningKeys } from '../../identity/keys/signingKeys.ts'
import { createStreamTokens } from '../../identity/tokens/streamTokens.ts'
import type { EventRecorder } from '../../insights/evaluations/eventRecorder.ts'
import { unauthorized, unavailable } from '../../lib/errors.ts'
import type { IdGenerator } from '../../lib/idGenerator.ts'
import type { Logger } from '../../lib/logger.ts'
import { openStore } from '../../storage/open/openStore.ts'
import type { ServerMetrics } from '../../telemetry/metrics/metrics.ts'
import type { Tracing } from '../../telemetry/tracing/tracing.ts'
import { composeDelivery, composeRequests } from '../http/requests.ts'
import type { Lifecycle } from '../lifecycle.ts'
import type { PublicAddress } from '../publicAddress.ts'

interface Dependencies extends Pick<PublicAddress, 'publicUrl' | 'isReachable'> {
  readonly options: Options
  readonly configs: KeyConfigs
  readonly streams: Streams
  readonly recorder: EventRecorder
  readonly catchUp?: Parameters<typeof createReadBarrier>[0]['catchUp']
  readonly metrics: ServerMetrics
  readonly tracing: Tracing
  readonly lifecycle: Lifecycle
  readonly log: Logger
  readonly now: () => number
  readonly ids: IdGenerator
  readonly health: ReplicaHealth
  /** Answers requests for which there is no route. */
  readonly fallback: () => never
  /** Finds stored data of users. Default: refuses evaluations that depend on it. */
  readonly applicationUsers?: Parameters<typeof createEvaluationHandlers>[0]['applicationUsers']
}

/** What the health of a replica depends on. */
export interface ReplicaHealth {
  readonly findProblem: () => string | undefined
  readonly findWriteProblem: () => string | undefined
  readonly describeConfigs: () => ConfigHealth
}

/** Composes the HTTP application of a server without its store: evaluation, configs, streams and events. */
export async function composeEvaluationHttp(dependencies: Dependencies): Promise<RequestListener> {
  const { options, lifecycle, publicUrl, isReachable, health, fallback, ...others } = dependencies
  const { applicationUsers = { findProperties: refuseStoredUser, findChoices: refuseStoredUser }, ...parts } = others
  const { metrics, streams, now, ids } = parts
  const keys = await openSigningKeys(await openStore('memory:'), { now, ids })
  const streamTokens = createStreamTokens({ keys, now, publicUrl })
  const handlers = createEvaluationHandlers({
    ...parts,
    validate: parseInnerBody,
    applicationUsers,
    // Only the management API reads the sample.
    sampleUsers: { record: () => {} },
    ...composeDelivery({ options, metrics, streams, streamTokens, publicUrl, isReachable })
  })
  const { listener } = composeRequests({
    ...parts,
    options,
    lifecycle,
    handlers,
    tokens: { verify: () => Promise.reject(unauthorized('access tokens are not accepted here')) },
    streamTokens,
    names: currentNames,
    onKeyUse: () => {},
    limits: { management: async () => {}, userData: async () => {} },
    // Entries of the access log are in the store.
    accessRecorder: { record: async () => {}, close: async () => {} },
    ownCorsRoutes: [],
    routersBefore: [healthRoutes({ ...health, ...lifecycle })],
    routersAfter: [fallback]
  })
  return listener
}

/** Evaluations that depend on stored users would be wrong without them. @throws {HttpError} 503 */
async function refuseStoredUser(): Promise<never> {
  throw unavailable(
    'the evaluation depends on stored data of the user, which only a server with its database has',
    STORED_USER_RETRY_SECONDS
  )
}

const STORED_USER_RETRY_SECONDS = 5
