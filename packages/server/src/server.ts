import { readFileSync } from 'node:fs'
import type { AddressInfo } from 'node:net'
import { createEditRunner } from './access/audit/edit.ts'
import { listen, stopListening } from './api/http/listen.ts'
import { parseRequestPart } from './api/http/request/parseRequestPart.ts'
import { type DemoKeys, setUpDemo } from './cli/demo/setUpDemo.ts'
import type { Options } from './cli/kit/options.ts'
import { openDeliveries } from './composition/deliveries.ts'
import { openEvents } from './composition/events.ts'
import { composeHttp } from './composition/http.ts'
import { openBackgroundJobs } from './composition/jobs.ts'
import { openConfigs } from './delivery/configs/configs.ts'
import { openStreams } from './delivery/streams/streams.ts'
import { type StreamTimings, streamTimings } from './delivery/streams/streamTimings.ts'
import { type AdministratorCredentials, ensureAdministrator } from './identity/clients/ensureAdministrator.ts'
import { openSigningKeys } from './identity/keys/signingKeys.ts'
import { ensureOrganization } from './identity/organizations/ensureOrganization.ts'
import type { DeliveryTimings } from './integrations/outbox/deliveryContext.ts'
import { Disposer } from './lib/disposer.ts'
import { type IdGenerator, randomIdGenerator } from './lib/idGenerator.ts'
import { createLogger, type Logger } from './lib/logger.ts'
import { isWildcard } from './lib/net.ts'
import type { ParseBody } from './lib/parseBody.ts'
import { openStore } from './storage/open/openStore.ts'
import { openMetrics } from './telemetry/metrics/openMetrics.ts'
import { createProblemReporter } from './telemetry/problemReporter.ts'
import { openTracing } from './telemetry/tracing/openTracing.ts'
import { traceStore } from './telemetry/tracing/traceStore.ts'

/** What a server takes from the world around it; each has a real default. */
export interface ServerDependencies {
  readonly now?: () => number
  /** The clock of the operations' handlers; by default `now`. A clock that throws makes operations fail, but no background job. */
  readonly handlerNow?: () => number
  readonly ids?: IdGenerator
  readonly log?: Logger
  /** How often background jobs check whether work is due. */
  readonly jobIntervalMs?: number
  /** How fast streams go about things, where it is not as usual. */
  readonly streamPace?: Partial<StreamTimings>
  /** How fast the courier does. */
  readonly deliveryPace?: Partial<DeliveryTimings>
}

/** A server that is up. */
export interface RunningServer {
  /** As in `http://127.0.0.1:8080`. */
  readonly url: string
  /** The demo project, when one was asked for. */
  readonly demo: DemoKeys | undefined
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
export async function startServer(options: Options, dependencies: ServerDependencies = {}): Promise<RunningServer> {
  const { now = Date.now, ids = randomIdGenerator, log = createLogger(options.logLevel) } = dependencies
  const software = version()
  const disposer = new Disposer()
  try {
    const tracing = await openTracing({ endpoint: options.otlpEndpoint, software, log })
    // First, so that it ends last: it has the spans of the requests that the end of the server waited for.
    disposer.defer(tracing.close)
    const untraced = await openStore(options.store, { onNotice: (message) => log.warn(message) })
    disposer.defer(() => untraced.close())
    const store = traceStore(untraced, tracing)
    const metrics = openMetrics(store, { configs: () => configs.size(), streams: () => streams.size() })
    const events = await openEvents({ options, now, log, metrics, disposer })
    const organization = await ensureOrganization(store, { now, ids })
    const edit = createEditRunner({ store, ids, now })
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
    const configs = await openConfigs(store, createProblemReporter(log, metrics), { now, software })
    disposer.defer(configs.close)
    const streams = openStreams(
      configs,
      { onMessage: () => metrics.streamMessages.inc(), onDrop: () => metrics.droppedStreams.inc() },
      { maxStreams: options.maxStreams, pace: { ...streamTimings, ...dependencies.streamPace }, random: Math.random }
    )
    disposer.defer(streams.close)
    const deliveries = await openDeliveries({ ...parts, pace: dependencies.deliveryPace })
    disposer.defer(deliveries.deliveryWorker.close)

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
      handlerNow: dependencies.handlerNow ?? now,
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
    disposer.defer(() => {
      const wait = lingerMs ?? 0
      return Promise.all([stopListening(server, wait), after(wait).then(closeTools)])
    })
    // Before the server stops, from which open streams would keep it; and their readers have until then to go elsewhere.
    disposer.defer(streams.close)
    // A start that fails lets go of those who wait for it.
    disposer.defer(() => start())
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
    const administrator = await ensureAdministrator(store, { now, ids, log, given: administratorOf(options) })
    await openBackgroundJobs({
      ...parts,
      checkIntervalMs: dependencies.jobIntervalMs,
      inspect: events.inspect,
      disposer
    })
    start()
    const close: RunningServer['close'] = (stopping = {}) => {
      lingerMs ??= stopping.lingerMs ?? 0
      return disposer.close()
    }
    return { url, demo, administrator, close }
  } catch (error) {
    await disposer.close()
    throw error
  }
}

const validateBody: ParseBody = (schema, value) => parseRequestPart(schema, value, 'body')

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
