import { readFileSync } from 'node:fs'
import type { AddressInfo } from 'node:net'
import { editsOf } from './audit/edit.ts'
import { type AdministratorCredentials, setUpAdministrator } from './auth/administrator.ts'
import { setUpOrganization } from './auth/organization.ts'
import { openSigningKeys } from './auth/signingKeys.ts'
import { composeHttp } from './composeHttp.ts'
import { openConfigs } from './configs/configs.ts'
import type { CourierPace } from './deliveries/courierPace.ts'
import { type Demo, setUpDemo } from './demo/demo.ts'
import { listen, stop } from './http/listen.ts'
import { validate } from './http/validate.ts'
import { type Ids, randomIds } from './id.ts'
import { isWildcard } from './isWildcard.ts'
import { createLog, type Logger } from './log.ts'
import { openMetrics } from './metrics/openMetrics.ts'
import { openDeliveries } from './openDeliveries.ts'
import { openEvents } from './openEvents.ts'
import { Opened } from './opened.ts'
import { openRounds } from './openRounds.ts'
import type { Options } from './options.ts'
import { reportProblems } from './problems.ts'
import { openStore } from './store/openStore.ts'
import { type StreamPace, streamPace } from './streams/streamPace.ts'
import { openStreams } from './streams/streams.ts'
import { openTracing } from './tracing/openTracing.ts'
import { tracedStore } from './tracing/tracedStore.ts'
import type { Validate } from './validate.ts'

/** What a server takes from the world around it; each has a real default. */
export interface World {
  readonly now?: () => number
  readonly ids?: Ids
  readonly log?: Logger
  /** How fast streams go about things, where it is not as usual. */
  readonly streamPace?: Partial<StreamPace>
  /** How fast the courier does. */
  readonly courierPace?: Partial<CourierPace>
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
  const software = version()
  const opened = new Opened()
  try {
    const tracing = await openTracing({ endpoint: options.otlpEndpoint, software, log })
    // First, so that it ends last: it has the spans of the requests that the end of the server waited for.
    opened.add(tracing.close)
    const untraced = await openStore(options.store, { onNotice: (message) => log.warn(message) })
    opened.add(() => untraced.close())
    const store = tracedStore(untraced, tracing)
    const metrics = openMetrics(store, { configs: () => configs.size(), streams: () => streams.size() })
    const events = await openEvents({ options, now, log, metrics, opened })
    const organization = await setUpOrganization(store, { now, ids })
    const edit = editsOf({ store, ids, now })
    const parts = {
      options,
      store,
      edit,
      ids,
      now,
      log,
      metrics,
      tracing,
      organization,
      software,
      validate: validateBody
    }
    if (options.oidcIssuer && organization.settings.permissions.mode === 'flat') {
      log.warn('everybody whom the identity provider knows may do everything, since permissions.mode is flat')
    }
    const demo = options.demo ? await setUpDemo(parts) : undefined
    const keys = await openSigningKeys(store, { now, ids })
    const configs = await openConfigs(store, reportProblems(log, metrics), { now, software })
    opened.add(configs.close)
    const streams = openStreams(
      configs,
      { onMessage: () => metrics.streamMessages.inc(), onDrop: () => metrics.droppedStreams.inc() },
      { maxStreams: options.maxStreams, pace: { ...streamPace, ...world.streamPace }, random: Math.random }
    )
    opened.add(streams.close)
    const deliveries = await openDeliveries({ ...parts, pace: world.courierPace })
    opened.add(deliveries.courier.close)

    let { publicUrl } = options
    let isReachable = true
    let lingerMs: number | undefined
    let start = () => {}
    const started = new Promise<void>((resolve) => {
      start = resolve
    })
    const { listener, closeTools } = await composeHttp({
      ...parts,
      ...events,
      ...deliveries,
      keys,
      configs,
      streams,
      publicUrl: () => publicUrl,
      isReachable: () => isReachable,
      // What comes in before the administrator is known waits for that.
      started,
      isStopping: () => lingerMs !== undefined
    })
    const server = await listen(listener, options)
    opened.add(() => {
      const wait = lingerMs ?? 0
      return Promise.all([stop(server, wait), after(wait).then(closeTools)])
    })
    // Before the server stops, from which open streams would keep it; and their readers have until then to go elsewhere.
    opened.add(streams.close)
    // A start that fails lets go of those who wait for it.
    opened.add(() => start())
    // A server that listens on a port has an address of this form.
    const address = server.address() as AddressInfo
    const url = urlOf(address)
    if (publicUrl === '' && isWildcard(address.address)) {
      isReachable = false
      log.warn(
        'configs name no stream, so that SDKs only ask for changes: set BURGEE_PUBLIC_URL to the address that callers use'
      )
    }
    publicUrl ||= url
    // Late: a start that fails must not make up a secret that nobody is told.
    const administrator = await setUpAdministrator(store, { now, ids, log, given: administratorOf(options) })
    await openRounds({ ...parts, inspect: events.inspect, opened })
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

const validateBody: Validate = (schema, value) => validate(schema, value, 'body')

/** The administrator that the settings name; they come together or not at all. */
function administratorOf({ adminClientId, adminClientSecret }: Options): AdministratorCredentials | undefined {
  return adminClientId ? { clientId: adminClientId, clientSecret: adminClientSecret } : undefined
}

function after(ms: number): Promise<void> {
  return new Promise((resolve) => void setTimeout(resolve, ms))
}

function urlOf({ address: host, port }: AddressInfo): string {
  return `http://${host.includes(':') ? `[${host}]` : host}:${port}`
}

function version(): string {
  const manifest = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8'))
  return manifest.version
}
