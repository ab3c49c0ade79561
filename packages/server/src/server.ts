import { readFileSync } from 'node:fs'
import type { Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { openApi } from '@burgee/contract'
import { editsOf } from './audit/edit.ts'
import { type AdministratorCredentials, setUpAdministrator } from './auth/administrator.ts'
import { createAuthority } from './auth/authority.ts'
import { setUpOrganization } from './auth/organization.ts'
import { openSigningKeys } from './auth/signingKeys.ts'
import { createStreamTokens } from './auth/streamTokens.ts'
import { openUpkeep } from './auth/upkeep.ts'
import { openSchedule } from './changeRequests/schedule.ts'
import { openConfigs } from './configs/configs.ts'
import { type Demo, setUpDemo } from './demo/demo.ts'
import { openEventLog } from './events/openEventLog.ts'
import { createHandlers } from './handlers/handlers.ts'
import { createApp } from './http/app.ts'
import { readBody } from './http/body.ts'
import { legacyNames, ownNames } from './http/legacyNames.ts'
import { createLimit } from './http/limit.ts'
import { listen, stop } from './http/listen.ts'
import { operational } from './http/operational.ts'
import { routes } from './http/routes.ts'
import { validate } from './http/validate.ts'
import { type Ids, randomIds } from './id.ts'
import { createLog, type Logger } from './log.ts'
import { createMetrics } from './metrics.ts'
import { Opened } from './opened.ts'
import type { Options } from './options.ts'
import { reportProblems } from './problems.ts'
import { createAttempts } from './secrets/attempts.ts'
import { directoryOf, openStore } from './store/openStore.ts'
import { createAnnounce } from './streams/announce.ts'
import { type Pace, standardPace } from './streams/pace.ts'
import { openStreams } from './streams/streams.ts'
import type { Validate } from './validate.ts'

/** What a server takes from the world around it; each has a real default. */
export interface World {
  readonly now?: () => number
  readonly ids?: Ids
  readonly log?: Logger
  /** How fast streams go about things, where it is not as usual. */
  readonly pace?: Partial<Pace>
}

/** A server that is up. */
export interface RunningServer {
  /** As in `http://127.0.0.1:8080`. */
  readonly url: string
  /** The demo project, when one was asked for. */
  readonly demo: Demo | undefined
  /** The credentials of the first administrator client, when they were made up by this start. */
  readonly administrator: AdministratorCredentials | undefined
  /**
   * Gives the requests under way up to eight seconds to finish, then lets go of everything. Calling it again does nothing more. For `lingerMs`
   * milliseconds before that it goes on answering, and tells every caller that it is about to stop.
   */
  readonly close: (options?: { readonly lingerMs?: number }) => Promise<void>
}

/**
 * Starts a server: opens the store, compiles its environments, listens.
 * @throws {StoreOpenError} when the store cannot be opened as it is.
 */
export async function startServer(options: Options, world: World = {}): Promise<RunningServer> {
  const { now = Date.now, ids = randomIds, log = createLog(options.logLevel) } = world
  const opened = new Opened()
  try {
    const store = await openStore(options.store, { onNotice: (message) => log.warn(message) })
    opened.add(() => store.close())
    const events = await openEventLog(directoryOf(options.store))
    opened.add(() => events.close())
    const organization = await setUpOrganization(store, { now, ids })
    const edit = editsOf({ store, ids, now })
    if (options.oidcIssuer && organization.settings.permissions.mode === 'flat') {
      log.warn('everybody whom the identity provider knows may do everything, since permissions.mode is flat')
    }
    const demo = options.demo ? await setUpDemo({ store, edit, ids, now, organization }) : undefined
    const keys = await openSigningKeys(store, { now, ids })
    const metrics = createMetrics({ configs: () => configs.size(), streams: () => streams.size() })
    const configs = await openConfigs(store, reportProblems(log, metrics), { now, software: version() })
    opened.add(configs.close)
    const streams = openStreams(
      configs,
      { onMessage: () => metrics.messages.inc(), onDrop: () => metrics.dropped.inc() },
      { maxStreams: options.maxStreams, pace: { ...standardPace, ...world.pace }, random: Math.random }
    )

    let { publicUrl } = options
    const validateBody: Validate = (schema, value) => validate(schema, value, 'body')
    const attempts = createAttempts()
    const authority = createAuthority({
      store,
      edit,
      keys,
      ids,
      log,
      now,
      attempts,
      publicUrl: () => publicUrl,
      isOpenToClients: options.dynamicRegistration,
      limitRegistrations: createLimit(REGISTRATIONS_PER_MINUTE, now),
      limitSignIns: createLimit(SIGN_INS_PER_MINUTE, now),
      readBody,
      upstream: upstreamOf(options)
    })
    const streamTokens = createStreamTokens({ keys, now, publicUrl: () => publicUrl })
    const handlers = createHandlers({
      store,
      configs,
      edit,
      validate: validateBody,
      events,
      ids,
      now,
      publicUrl: () => publicUrl,
      attempts,
      streams,
      announce: createAnnounce({ streams, issue: streamTokens.issue, publicUrl: options.publicUrl }),
      onEvents: (accepted, refused) => {
        metrics.events.inc(accepted)
        metrics.refusedEvents.inc(refused)
      }
    })
    let start = () => {}
    const started = new Promise<void>((resolve) => {
      start = resolve
    })
    const limit = createLimit(options.ofrepRateLimit, now)
    const names = options.compatLegacyNames ? legacyNames : ownNames
    let lingerMs: number | undefined
    const isStopping = () => lingerMs !== undefined
    const app = createApp({
      log,
      metrics,
      isStopping,
      trustedProxies: options.trustedProxies,
      surfaces: [
        // What comes in before the administrator is known waits for that.
        (_ctx, next) => started.then(next),
        operational({ store, metrics, isStopping, document: () => openApi(version(), publicUrl) }),
        ...authority.surfaces,
        names.middleware,
        ...routes({ handlers, configs, tokens: authority.tokens, streamTokens, limit, names })
      ]
    })
    const server = await listen(app.callback(), options)
    opened.add(() => stop(server, lingerMs ?? 0))
    // They would keep the server from stopping; and their readers have until then to go elsewhere.
    opened.add(streams.close)
    // A start that fails lets go of those who wait for it.
    opened.add(() => start())
    const url = addressOf(server)
    publicUrl ||= url
    // Last: a start that fails must not make up a secret that nobody is told.
    const administrator = await setUpAdministrator(store, { now, ids, log, given: administratorOf(options) })
    const schedule = await openSchedule({ store, edit, validate: validateBody, now, log })
    opened.add(schedule.close)
    const upkeep = await openUpkeep({ store, edit, ids, now, log, organization: organization.key })
    opened.add(upkeep.close)
    start()
    const close: RunningServer['close'] = (stopping = {}) => {
      lingerMs ??= stopping.lingerMs ?? 0
      return opened.close()
    }
    return { url, demo, administrator, close }
  } catch (error) {
    await opened.close()
    throw error
  }
}

/** How many clients may register themselves in a minute from one address. */
const REGISTRATIONS_PER_MINUTE = 10

/** How many may begin to sign in in a minute from one address: fewer in all that time than may be open at once. */
const SIGN_INS_PER_MINUTE = 60

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

/** The administrator that the settings name; they come together or not at all. */
function administratorOf({ adminClientId, adminClientSecret }: Options): AdministratorCredentials | undefined {
  return adminClientId ? { clientId: adminClientId, clientSecret: adminClientSecret } : undefined
}

function addressOf(server: Server): string {
  // A server that listens on a port has an address of this form.
  const { address: host, port } = server.address() as AddressInfo
  return `http://${host.includes(':') ? `[${host}]` : host}:${port}`
}

function version(): string {
  const manifest = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8'))
  return manifest.version
}
