import type { RequestListener } from 'node:http'
import { createOpenApiDocument } from '@burgee/contract/openapi'
import type { AccessRecorder } from '../../access/accessLog/accessRecorder.ts'
import type { EditRunner } from '../../access/audit/edit.ts'
import type { ParseBody } from '../../access/parseBody.ts'
import { createHandlers } from '../../api/handlers/handlers.ts'
import { docsRoutes } from '../../api/http/docs/docsRoutes.ts'
import { healthRoutes } from '../../api/http/healthRoutes.ts'
import { mcpRoutes } from '../../api/http/mcpRoutes.ts'
import { currentNames, legacyNames } from '../../api/http/request/legacyNames.ts'
import { readBody } from '../../api/http/request/readBody.ts'
import type { Options } from '../../cli/options.ts'
import type { ChangeStreams } from '../../delivery/changes/changeStreams.ts'
import type { Configs } from '../../delivery/configs/configs.ts'
import type { AnnounceStream } from '../../delivery/streams/streamAnnouncement.ts'
import type { Streams } from '../../delivery/streams/streams.ts'
import { createApplicationUsers } from '../../flags/applicationUsers/applicationUsers.ts'
import type { UserDataUsage } from '../../flags/applicationUsers/userDataUsage.ts'
import type { EnvironmentUses } from '../../flags/environments/environmentUse.ts'
import { createAuthentication, type UpstreamSettings } from '../../identity/endpoints/authentication.ts'
import type { SigningKeys } from '../../identity/keys/signingKeys.ts'
import { toProtectedResources } from '../../identity/oauth/protectedResources.ts'
import { scimRoutes } from '../../identity/scim/scimRoutes.ts'
import type { SecretHasher } from '../../identity/secrets/secretHash.ts'
import { createStreamTokens } from '../../identity/tokens/streamTokens.ts'
import { KEY_DEADLINE_MS, MAX_KEY_BYTES } from '../../identity/workloads/exchange/issuerKeys.ts'
import type { EventRecorder } from '../../insights/evaluations/eventRecorder.ts'
import type { SampleUsers } from '../../insights/previews/sampleUsers.ts'
import type { TimeSeriesCache } from '../../insights/results/timeSeriesCache.ts'
import type { InspectProject } from '../../insights/staleness/inspectProject.ts'
import type { SharedDeliveries } from '../../integrations/outbox/sharedDeliveries.ts'
import type { IdGenerator } from '../../lib/idGenerator.ts'
import { createRateLimit, limitPerNetwork } from '../../lib/limits/rateLimiter.ts'
import type { Logger } from '../../lib/logger.ts'
import { parseAllowedDestinations } from '../../lib/outbound/allowedDestination.ts'
import { createGuardedRequest } from '../../lib/outbound/guardedRequest.ts'
import type { SafeFetch } from '../../lib/outbound/safeFetch.ts'
import { validateDestination } from '../../lib/outbound/validateDestination.ts'
import { createTimeSlices } from '../../lib/time.ts'
import type { AccessLog } from '../../storage/accessLog/accessLog.ts'
import type { EventStore } from '../../storage/events/eventStore.ts'
import type { OpenedStore } from '../../storage/open/openStore.ts'
import type { Store } from '../../storage/store.ts'
import type { ServerMetrics } from '../../telemetry/metrics/metrics.ts'
import type { Tracing } from '../../telemetry/tracing/tracing.ts'
import { openDashboardFiles } from '../dashboard.ts'
import type { Lifecycle } from '../lifecycle.ts'
import { openMcp } from '../mcp.ts'
import { composeDelivery, composeRequests } from './requests.ts'

interface HttpDependencies {
  readonly options: Options
  readonly now: () => number
  readonly handlerNow: () => number
  readonly ids: IdGenerator
  readonly hasher: SecretHasher
  readonly log: Logger
  readonly metrics: ServerMetrics
  readonly tracing: Tracing
  readonly store: Store
  readonly catchUp?: OpenedStore['catchUp']
  readonly claim?: OpenedStore['claim']
  readonly eventStore: EventStore
  readonly recorder: EventRecorder
  readonly accessLog: AccessLog
  readonly accessRecorder: AccessRecorder
  readonly edit: EditRunner
  readonly keys: SigningKeys
  readonly configs: Configs
  readonly streams: Streams
  readonly changeStreams: ChangeStreams
  readonly inspect: InspectProject
  readonly readTimeSeries: TimeSeriesCache
  readonly deliveryWorker: SharedDeliveries
  readonly usage: UserDataUsage
  readonly environmentUses: EnvironmentUses
  readonly sampleUsers: SampleUsers
  readonly send: SafeFetch
  readonly validate: ParseBody
  /** The directory of the built dashboard, if it is not the one of `@burgee/dashboard`. */
  readonly dashboardDirectory?: URL | undefined
  readonly providerTimeoutMs?: number | undefined
  /** The version of the server. */
  readonly serverVersion: string
  /** Whether the demo project exists. */
  readonly isDemo: boolean
  /** The public address of the server; known once the server listens. */
  readonly publicUrl: () => string
  /** False if no address is known at which other hosts can reach the server. */
  readonly isReachable: () => boolean
  readonly lifecycle: Lifecycle
}

/** The HTTP application of a server. */
export interface HttpServices {
  readonly listener: RequestListener
  /** Waits a few seconds for tool calls in flight, and closes the sessions of assistants. */
  readonly closeTools: () => Promise<void>
  /** Whether the dashboard is served. */
  readonly hasDashboard: boolean
  /** Announces event streams to OFREP clients. */
  readonly announce: AnnounceStream
}

/** Composes the HTTP application: authentication, handlers, and the middleware around them. */
export async function composeHttp(dependencies: HttpDependencies): Promise<HttpServices> {
  const { options, serverVersion, lifecycle, isReachable, ...parts } = dependencies
  const { started, isStopping, isWarmingUp, findStoreLoss } = lifecycle
  const { store, streams, metrics, keys, now, publicUrl } = parts
  const streamTokens = createStreamTokens({ keys, now, publicUrl })
  const authentication = composeAuthentication(dependencies)
  const configDelivery = composeDelivery({ options, metrics, streams, streamTokens, publicUrl, isReachable })
  const handlers = composeHandlers(dependencies, configDelivery)
  const names = options.compatLegacyNames ? legacyNames : currentNames
  const { toolTokens } = authentication
  const dashboard = await openDashboardFiles({ ...parts, options })
  const toolServer = await openMcp({
    ...parts,
    options,
    toolTokens,
    listener: () => application,
    hasDashboard: () => dashboard !== undefined && isReachable()
  })
  const { application, listener } = composeRequests({
    ...parts,
    options,
    lifecycle,
    handlers,
    tokens: authentication.tokens,
    streamTokens,
    names,
    onKeyUse: parts.environmentUses.recordKey,
    limits: {
      management: createRateLimit(options.managementRateLimit, 'requests of this caller'),
      userData: limitPerNetwork(
        createRateLimit(options.userDataRateLimit * 2 ** 20, 'bytes of user data from this network')
      )
    },
    ownCorsRoutes: [
      ...(dashboard ? [dashboard, authentication.dashboard] : []),
      scimRoutes({
        ...parts,
        started,
        readBody,
        limit: createRateLimit(options.managementRateLimit, 'requests of this SCIM token'),
        hasIdentityProvider: options.oidcIssuer !== ''
      }),
      ...(toolServer ? [mcpRoutes({ ...toolServer, started, isStopping })] : [])
    ],
    routersBefore: [
      healthRoutes({
        isStopping,
        isWarmingUp,
        findProblem: findStoreLoss,
        findWriteProblem: () => {
          if (!store.isWritable()) return 'the store does not accept writes'
          return parts.eventStore.isWritable() ? undefined : 'events cannot be stored'
        }
      }),
      docsRoutes({
        openApi: () => createOpenApiDocument(serverVersion, publicUrl(), createTimeSlices().yieldIfDue),
        hasDashboard: dashboard !== undefined
      }),
      ...authentication.routers,
      names.middleware
    ]
  })
  return {
    listener,
    hasDashboard: dashboard !== undefined,
    closeTools: async () => toolServer?.close(),
    announce: configDelivery.announce
  }
}

function composeAuthentication(dependencies: HttpDependencies) {
  const { options, metrics, now, publicUrl, lifecycle, providerTimeoutMs } = dependencies
  return createAuthentication({
    ...dependencies,
    resources: () => toProtectedResources(publicUrl(), options),
    isOpenToClients: options.dynamicRegistration,
    guardedRequest: options.clientIdDocuments
      ? createGuardedRequest({ ...options, deadlineMs: DOCUMENT_DEADLINE_MS })
      : undefined,
    limitRegistrations: limitPerNetwork(createRateLimit(REGISTRATIONS_PER_MINUTE, 'registrations from this network')),
    limitSignIns: limitPerNetwork(createRateLimit(SIGN_INS_PER_MINUTE, 'sign-ins started from this network')),
    limitRefusedLogouts: limitPerNetwork(
      createRateLimit(REFUSED_LOGOUTS_PER_MINUTE, 'refused logout tokens from this network')
    ),
    graceHours: options.oidcGraceHours,
    readBody,
    requestKeys: createGuardedRequest({ ...options, deadlineMs: KEY_DEADLINE_MS, maxBodyBytes: MAX_KEY_BYTES }),
    onKeysRead: (issuer, isRead) => {
      if (isRead) metrics.issuerKeysRead.set({ issuer }, now() / 1000)
      else metrics.issuerKeyFailures.inc({ issuer })
    },
    workloadClockSkew: options.workloadClockSkew,
    upstream: upstreamOf(options, providerTimeoutMs),
    hasPasswords: options.passwords === 'on',
    started: lifecycle.started,
    onDashboardRefusal: (reason) => metrics.dashboardRefusals.inc({ reason })
  })
}

function composeHandlers(dependencies: HttpDependencies, configDelivery: ReturnType<typeof composeDelivery>) {
  const { options, handlerNow } = dependencies
  return createHandlers({
    ...dependencies,
    now: handlerNow,
    applicationUsers: createApplicationUsers({ ...dependencies, now: handlerNow }),
    limitWebhookTests: createRateLimit(WEBHOOK_TESTS_PER_MINUTE, 'webhook tests in this project'),
    validateOutboundUrl: (url) => validateDestination(url, options.allowedPrivateTargets),
    configuredClientIds: new Set([options.adminClientId, ...options.toolServers.map(({ clientId }) => clientId)]),
    signIn: {
      hasPasswords: options.passwords === 'on',
      issuer: options.oidcIssuer || undefined,
      name: options.oidcIssuer ? options.oidcName : undefined
    },
    isToolServer: options.mcp,
    ...configDelivery
  })
}

/** The deadline for fetching a client id document, in milliseconds. A sign-in waits for the document. */
const DOCUMENT_DEADLINE_MS = 5_000

/** The deadline of a request to the identity provider, in milliseconds. A sign-in or a refresh waits for it. */
const PROVIDER_TIMEOUT_MS = 5_000

/** The maximum size of a response of the identity provider, in bytes. Tokens with a thousand groups are large. */
const PROVIDER_MAX_BYTES = 2 ** 20

/** Dynamic registrations per minute and network. */
const REGISTRATIONS_PER_MINUTE = 10

/** Sign-ins started per minute and network; the limit of open sign-ins is higher. */
const SIGN_INS_PER_MINUTE = 60

/** Refused logout tokens per minute and network; further requests get 429. */
const REFUSED_LOGOUTS_PER_MINUTE = 60

/** Webhook tests per minute and project. Each calls an address that users configure. */
const WEBHOOK_TESTS_PER_MINUTE = 30

/** Returns the upstream identity provider of the settings, if one is configured. */
function upstreamOf(options: Options, timeoutMs = PROVIDER_TIMEOUT_MS): UpstreamSettings | undefined {
  const { oidcIssuer, oidcClientId, oidcClientSecret, oidcName, oidcGroupsClaim, oidcExternalIdClaim, oidcScopes } =
    options
  if (!oidcIssuer) return undefined
  const { host, protocol, port } = new URL(oidcIssuer)
  const target = port === '' ? `${host}:${protocol === 'https:' ? 443 : 80}` : host
  return {
    request: createGuardedRequest({
      // The issuer of the settings may be in a private network.
      allowedPrivateTargets: [...options.allowedPrivateTargets, ...(parseAllowedDestinations(target) ?? [])],
      deadlineMs: timeoutMs,
      maxBodyBytes: PROVIDER_MAX_BYTES
    }),
    timeoutMs,
    issuer: oidcIssuer,
    clientId: oidcClientId,
    clientSecret: oidcClientSecret,
    name: oidcName,
    groupsClaim: oidcGroupsClaim,
    externalIdClaim: oidcExternalIdClaim,
    scopes: oidcScopes
  }
}
