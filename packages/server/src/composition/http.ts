import type { RequestListener } from 'node:http'
import { createOpenApiDocument } from '@burgee/contract/openapi'
import type { EditRunner } from '../access/audit/edit.ts'
import { createHandlers } from '../api/handlers/handlers.ts'
import { createApp } from '../api/http/app.ts'
import { healthRoutes } from '../api/http/healthRoutes.ts'
import { mcpRoutes } from '../api/http/mcpRoutes.ts'
import { currentNames, legacyNames } from '../api/http/request/legacyNames.ts'
import { limitPerNetwork } from '../api/http/request/limitPerNetwork.ts'
import { createRateLimit } from '../api/http/request/rateLimit.ts'
import { readBody } from '../api/http/request/readBody.ts'
import { routes } from '../api/http/routes.ts'
import type { Options } from '../cli/kit/options.ts'
import type { Configs } from '../delivery/configs/configs.ts'
import { createAnnounceStream } from '../delivery/streams/streamAnnouncement.ts'
import type { Streams } from '../delivery/streams/streams.ts'
import { createAuthentication } from '../identity/endpoints/authentication.ts'
import type { SigningKeys } from '../identity/keys/signingKeys.ts'
import { createFailedAttemptLimiter } from '../identity/secrets/failedAttemptLimiter.ts'
import { toProtectedResources } from '../identity/tokens/protectedResources.ts'
import { createStreamTokens } from '../identity/tokens/streamTokens.ts'
import type { EventRecorder } from '../insights/evaluations/eventRecorder.ts'
import type { InspectProject } from '../insights/staleness/inspectProject.ts'
import type { DeliveryWorker } from '../integrations/outbox/deliveryWorker.ts'
import type { IdGenerator } from '../lib/idGenerator.ts'
import type { Logger } from '../lib/logger.ts'
import { createGuardedRequest } from '../lib/outbound/guardedRequest.ts'
import type { SafeFetch } from '../lib/outbound/safeFetch.ts'
import { validateDestination } from '../lib/outbound/validateDestination.ts'
import type { ParseBody } from '../lib/parseBody.ts'
import type { EventStore } from '../storage/events/eventStore.ts'
import type { Store } from '../storage/store.ts'
import type { ServerMetrics } from '../telemetry/metrics/metrics.ts'
import type { Tracing } from '../telemetry/tracing/tracing.ts'
import { openMcp } from './mcp.ts'

/** What a server answers with. */
interface HttpDependencies {
  readonly options: Options
  readonly now: () => number
  readonly handlerNow: () => number
  readonly ids: IdGenerator
  readonly log: Logger
  readonly metrics: ServerMetrics
  readonly tracing: Tracing
  readonly store: Store
  readonly eventStore: EventStore
  readonly recorder: EventRecorder
  readonly edit: EditRunner
  readonly keys: SigningKeys
  readonly configs: Configs
  readonly streams: Streams
  readonly inspect: InspectProject
  readonly deliveryWorker: DeliveryWorker
  readonly send: SafeFetch
  readonly validate: ParseBody
  /** The version of this program. */
  readonly software: string
  /** The address under which callers reach the server; known once it listens. */
  readonly publicUrl: () => string
  /** Whether callers do reach it there, as far as it can tell. */
  readonly isReachable: () => boolean
  /** What comes in before this waits for it. */
  readonly started: Promise<void>
  readonly isStopping: () => boolean
}

/** What answers requests. */
interface HttpServices {
  readonly listener: RequestListener
  /** Lets tools that are called finish for a few seconds, and ends the sessions of those who call them. */
  readonly closeTools: () => Promise<void>
}

/** Puts together what answers requests: who may ask, how each operation is done, and the onion around them. */
export async function composeHttp(given: HttpDependencies): Promise<HttpServices> {
  const { options, software, started, isStopping, isReachable, handlerNow, ...parts } = given
  const { store, configs, streams, metrics, keys, now, publicUrl } = parts
  const attemptLimiter = createFailedAttemptLimiter()
  const streamTokens = createStreamTokens({ keys, now, publicUrl })
  const authentication = createAuthentication({
    ...parts,
    attemptLimiter,
    resources: () => toProtectedResources(publicUrl(), options),
    isOpenToClients: options.dynamicRegistration,
    guardedRequest: options.clientIdDocuments
      ? createGuardedRequest({ ...options, deadlineMs: DOCUMENT_DEADLINE_MS })
      : undefined,
    limitRegistrations: limitPerNetwork(createRateLimit(REGISTRATIONS_PER_MINUTE, now)),
    limitSignIns: limitPerNetwork(createRateLimit(SIGN_INS_PER_MINUTE, now)),
    readBody,
    upstream: upstreamOf(options)
  })
  const handlers = createHandlers({
    ...parts,
    now: handlerNow,
    limitWebhookTests: createRateLimit(WEBHOOK_TESTS_PER_MINUTE, now, 'tests of webhooks of a project'),
    validateOutboundUrl: (url) => validateDestination(url, options.allowedPrivateTargets),
    publicUrl: () => (isReachable() ? publicUrl() : undefined),
    attemptLimiter,
    announce: createAnnounceStream({ streams, issue: streamTokens.issue, publicUrl: options.publicUrl }),
    onEvents: (accepted, refused) => {
      metrics.events.inc(accepted)
      metrics.refusedEvents.inc(refused)
    }
  })
  const limits = {
    requests: createRateLimit(options.ofrepRateLimit, now),
    bytes: limitPerNetwork(createRateLimit(options.eventsRateLimit * 2 ** 20, now, 'bytes of events'))
  }
  const names = options.compatLegacyNames ? legacyNames : currentNames
  const { toolTokens } = authentication
  const toolServer = await openMcp({ ...parts, options, toolTokens, listener: () => listener })
  const app = createApp({
    ...parts,
    isStopping,
    trustedProxies: options.trustedProxies,
    ownCorsRoutes: toolServer ? [mcpRoutes({ ...toolServer, started, isStopping })] : [],
    routers: [
      (_ctx, next) => started.then(next),
      healthRoutes({
        store,
        eventStore: parts.eventStore,
        metrics,
        isStopping,
        document: () => createOpenApiDocument(software, publicUrl())
      }),
      ...authentication.routers,
      names.middleware,
      ...routes({ handlers, configs, tokens: authentication.tokens, streamTokens, limits, names })
    ]
  })
  const listener: RequestListener = app.callback()
  return { listener, closeTools: async () => toolServer?.close() }
}

/** How long somebody who begins to sign in waits for what the client says of itself. */
const DOCUMENT_DEADLINE_MS = 5_000

/** How many clients may register themselves in a minute from one address. */
const REGISTRATIONS_PER_MINUTE = 10

/** How many may begin to sign in in a minute from one address: fewer in all that time than may be open at once. */
const SIGN_INS_PER_MINUTE = 60

/** How many webhooks of one project may be tested in a minute: each test calls an address that somebody gave us. */
const WEBHOOK_TESTS_PER_MINUTE = 30

/** Where else people can sign in, as the settings name it. */
function upstreamOf({ oidcIssuer, oidcClientId, oidcClientSecret, oidcName, oidcGroupsClaim, oidcScopes }: Options) {
  if (!oidcIssuer) return undefined
  return {
    issuer: oidcIssuer,
    clientId: oidcClientId,
    clientSecret: oidcClientSecret,
    name: oidcName,
    groupsClaim: oidcGroupsClaim,
    scopes: oidcScopes
  }
}
