import type { RequestListener } from 'node:http'
import { openApi } from '@burgee/contract'
import type { MakeEdit } from './audit/edit.ts'
import { createAuthority } from './auth/authority.ts'
import { resourcesOf } from './auth/resources.ts'
import type { SigningKeys } from './auth/signingKeys.ts'
import { createStreamTokens } from './auth/streamTokens.ts'
import type { Configs } from './configs/configs.ts'
import type { Courier } from './deliveries/courier.ts'
import type { EventStore } from './eventStore/eventStore.ts'
import type { Recorder } from './events/recorder.ts'
import { createHandlers } from './handlers/handlers.ts'
import { createApp } from './http/app.ts'
import { readBody } from './http/body.ts'
import { legacyNames, ownNames } from './http/legacyNames.ts'
import { createLimit } from './http/limit.ts'
import { perNetwork } from './http/network.ts'
import { operational } from './http/operational.ts'
import { routes } from './http/routes.ts'
import { tools } from './http/tools.ts'
import type { Ids } from './id.ts'
import type { Logger } from './log.ts'
import type { ServerMetrics } from './metrics/metrics.ts'
import { openTools } from './openTools.ts'
import type { Options } from './options.ts'
import { mistakeOfTarget } from './outbound/guard.ts'
import { createReach } from './outbound/reach.ts'
import type { Send } from './outbound/send.ts'
import { createAttempts } from './secrets/attempts.ts'
import type { Inspect } from './staleness/inspect.ts'
import type { Store } from './store/store.ts'
import { createAnnounce } from './streams/announce.ts'
import type { Streams } from './streams/streams.ts'
import type { Tracing } from './tracing/tracing.ts'
import type { Validate } from './validate.ts'

/** What a server answers with. */
interface Parts {
  readonly options: Options
  readonly now: () => number
  readonly ids: Ids
  readonly log: Logger
  readonly metrics: ServerMetrics
  readonly tracing: Tracing
  readonly store: Store
  readonly eventStore: EventStore
  readonly recorder: Recorder
  readonly edit: MakeEdit
  readonly keys: SigningKeys
  readonly configs: Configs
  readonly streams: Streams
  readonly inspect: Inspect
  readonly courier: Courier
  readonly send: Send
  readonly validate: Validate
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
interface Composed {
  readonly listener: RequestListener
  /** Lets tools that are called finish for a few seconds, and ends the sessions of those who call them. */
  readonly closeTools: () => Promise<void>
}

/** Puts together what answers requests: who may ask, how each operation is done, and the onion around them. */
export async function composeHttp(given: Parts): Promise<Composed> {
  const { options, software, started, isStopping, isReachable, ...parts } = given
  const { store, configs, streams, metrics, keys, now, publicUrl } = parts
  const attempts = createAttempts()
  const streamTokens = createStreamTokens({ keys, now, publicUrl })
  const authority = createAuthority({
    ...parts,
    attempts,
    resources: () => resourcesOf(publicUrl(), options),
    isOpenToClients: options.dynamicRegistration,
    reach: options.clientIdDocuments ? createReach({ ...options, deadlineMs: DOCUMENT_DEADLINE_MS }) : undefined,
    limitRegistrations: perNetwork(createLimit(REGISTRATIONS_PER_MINUTE, now)),
    limitSignIns: perNetwork(createLimit(SIGN_INS_PER_MINUTE, now)),
    readBody,
    upstream: upstreamOf(options)
  })
  const handlers = createHandlers({
    ...parts,
    limitWebhookTests: createLimit(WEBHOOK_TESTS_PER_MINUTE, now, 'tests of webhooks of a project'),
    mistakeOfTarget: (url) => mistakeOfTarget(url, options.allowedPrivateTargets),
    publicUrl: () => (isReachable() ? publicUrl() : undefined),
    attempts,
    announce: createAnnounce({ streams, issue: streamTokens.issue, publicUrl: options.publicUrl }),
    onEvents: (accepted, refused) => {
      metrics.events.inc(accepted)
      metrics.refusedEvents.inc(refused)
    }
  })
  const limits = {
    requests: createLimit(options.ofrepRateLimit, now),
    bytes: perNetwork(createLimit(options.eventsRateLimit * 2 ** 20, now, 'bytes of events'))
  }
  const names = options.compatLegacyNames ? legacyNames : ownNames
  const { toolTokens } = authority
  const toolServer = await openTools({ ...parts, options, toolTokens, listener: () => listener })
  const app = createApp({
    ...parts,
    isStopping,
    trustedProxies: options.trustedProxies,
    apart: toolServer ? [tools({ ...toolServer, started, isStopping })] : [],
    surfaces: [
      (_ctx, next) => started.then(next),
      operational({
        store,
        eventStore: parts.eventStore,
        metrics,
        isStopping,
        document: () => openApi(software, publicUrl())
      }),
      ...authority.surfaces,
      names.middleware,
      ...routes({ handlers, configs, tokens: authority.tokens, streamTokens, limits, names })
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
