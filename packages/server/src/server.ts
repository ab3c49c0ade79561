import type { AddressInfo } from 'node:net'
import { setTimeout } from 'node:timers/promises'
import { createEditRunner } from './access/audit/edit.ts'
import { listen, stopListening } from './api/http/listen.ts'
import { createMetricsApp } from './api/http/metricsRoute.ts'
import { parseInnerBody } from './api/http/request/parseRequestPart.ts'
import { type DemoKeys, setUpDemo } from './cli/demo/setUpDemo.ts'
import type { Options } from './cli/settings.ts'
import { openAccessLog } from './composition/accessLog.ts'
import { loadAnchorKey } from './composition/anchorKey.ts'
import { createDemoLink } from './composition/dashboard.ts'
import { openDeliveries } from './composition/deliveries.ts'
import { openEvents } from './composition/events.ts'
import { composeHttp } from './composition/http.ts'
import { openBackgroundJobs } from './composition/jobs.ts'
import type { JobTimings } from './composition/jobTimings.ts'
import { createLifecycle } from './composition/lifecycle.ts'
import { createPublicAddress } from './composition/publicAddress.ts'
import { openChangeStreams } from './delivery/changes/changeStreams.ts'
import { openConfigs } from './delivery/configs/configs.ts'
import { openStreams } from './delivery/streams/streams.ts'
import { type StreamTimings, streamTimings } from './delivery/streams/streamTimings.ts'
import { openUserDataUsage } from './flags/applicationUsers/userDataUsage.ts'
import { openEnvironmentUses } from './flags/environments/environmentUse.ts'
import { toAccountUrl } from './identity/accountPage/accountSession.ts'
import { restoreAccountClient } from './identity/clients/accountClient.ts'
import { type AdministratorCredentials, ensureAdministrator } from './identity/clients/ensureAdministrator.ts'
import { openSigningKeys } from './identity/keys/signingKeys.ts'
import { assertOtherSignIn } from './identity/organizations/assertOtherSignIn.ts'
import { ensureOrganization } from './identity/organizations/ensureOrganization.ts'
import { createSecretHasher, HASH_COST, type HashCost } from './identity/secrets/secretHash.ts'
import { openSampleUsers } from './insights/previews/sampleUsers.ts'
import type { DeliveryTimings } from './integrations/outbox/deliveryContext.ts'
import { Disposer } from './lib/disposer.ts'
import { type IdGenerator, randomIdGenerator } from './lib/idGenerator.ts'
import { createLogger, type Logger } from './lib/logger.ts'
import { openSandbox } from './lib/sandbox/sandbox.ts'
import type { LockTimings } from './storage/lowdb/directoryLock.ts'
import { type OpenedStore, openStore } from './storage/open/openStore.ts'
import { openMetrics } from './telemetry/metrics/openMetrics.ts'
import { createProblemReporter } from './telemetry/problemReporter.ts'
import { reportEmergencies } from './telemetry/reportEmergencies.ts'
import { openTracing } from './telemetry/tracing/openTracing.ts'
import { traceStore } from './telemetry/tracing/traceStore.ts'
import { packageVersion } from './version.ts'

/** Dependencies of a server that tests and embedders replace; each has a default. */
export interface ServerDependencies {
  /** Returns the time in epoch milliseconds. */
  readonly now?: () => number
  /** The clock of the operation handlers. Default: `now`. If it throws, operations fail, but background jobs do not. */
  readonly handlerNow?: () => number
  readonly ids?: IdGenerator
  readonly log?: Logger
  readonly streamTimings?: Partial<StreamTimings>
  readonly deliveryTimings?: Partial<DeliveryTimings>
  readonly jobTimings?: JobTimings
  /** The cost of the hashes of passwords and configured secrets. Default: `HASH_COST`. */
  readonly hashCost?: HashCost
  /** Intervals of the lock on the directory of the store. */
  readonly lockTimings?: LockTimings
  /** The directory of the built dashboard. Default: the one of the package `@burgee/dashboard`. */
  readonly dashboardDirectory?: URL
}

/** A running server. */
export interface RunningServer {
  /** The listening address, as in `http://127.0.0.1:8080`. */
  readonly url: string
  /** The keys of the demo project, if the settings enable it and the store contains it. */
  readonly demo: DemoKeys | undefined
  /** A link that signs the first person of the demo in once, on this computer. */
  readonly signInLink: string | undefined
  /** The credentials of the administrator client, if this start generated them. */
  readonly administrator: AdministratorCredentials | undefined
  /**
   * Waits up to eight seconds for requests in flight, and closes everything. Further calls return the same promise.
   * Before that, the server answers requests for another `lingerMs` milliseconds, and announces its shutdown
   * (`/readyz`, `Connection: close`).
   */
  readonly close: (options?: { readonly lingerMs?: number }) => Promise<void>
  /**
   * Resolves when the server has closed. The value is the error if the server closed itself because another process
   * had taken over its store.
   */
  readonly closed: Promise<Error | undefined>
}

/**
 * Starts a server: opens the store, compiles its environments, and listens.
 * @throws {StoreOpenError} if the store cannot be opened.
 * @throws {OptionError} if the address is in use, or the packages for tracing are not installed.
 */
export async function startServer(options: Options, dependencies: ServerDependencies = {}): Promise<RunningServer> {
  const { now = Date.now, ids = randomIdGenerator, log = createLogger(options.logLevel), jobTimings } = dependencies
  const serverVersion = packageVersion()
  const disposer = new Disposer()
  try {
    const lifecycle = createLifecycle(disposer, log)
    const tracing = await openTracing({ endpoint: options.otlpEndpoint, serverVersion, log })
    // Deferred first, so that it closes last: requests that finish during the shutdown still end spans.
    disposer.defer(tracing.close)

    const anchorKey = await loadAnchorKey(options, log)
    const untraced = await openStore(options.store, {
      onNotice: (message) => log.warn(message),
      onLost: lifecycle.loseStore,
      encryption: { keys: options.encryptionKey },
      maxConnections: options.storeConnections,
      pollMs: options.storePollMs,
      ...(dependencies.lockTimings ? { timings: dependencies.lockTimings } : {})
    })
    disposer.defer(() => untraced.close())
    const store = traceStore(untraced, tracing)
    const metrics = openMetrics(store, {
      configs: () => configs.size(),
      streams: () => streams.size(),
      now,
      expiryWarningDays: options.expiryWarningDays
    })
    const stopReporting = reportEmergencies(store, { log, metrics })
    disposer.defer(async () => stopReporting())
    const environmentUses = openEnvironmentUses({ store, now, log })
    disposer.defer(environmentUses.close)
    const events = await openEvents({
      store,
      location: untraced.location,
      options,
      now,
      log,
      assertOwned: () => untraced.assertOwned(),
      metrics,
      environmentUses,
      clockMs: jobTimings?.clockMs,
      disposer
    })

    const organization = await ensureOrganization(store, { now, ids })
    if (options.oidcIssuer && organization.settings.permissions.mode === 'flat') {
      log.warn('everyone who can sign in through the identity provider has full access: permissions.mode is flat')
    }
    if (options.passwords === 'off') await assertOtherSignIn(store, options)
    const access = await openAccessLog({
      options,
      store,
      location: untraced.location,
      now,
      ids,
      log,
      organization,
      assertOwned: () => untraced.assertOwned(),
      serverVersion,
      disposer
    })
    const sandbox = openSandbox({
      program: SANDBOX_PROGRAM,
      onFailure: (error) => log.error({ err: error }, 'validation schemas cannot be checked')
    })
    disposer.defer(sandbox.close)
    const edit = createEditRunner({ store, sandbox, ids, now })
    const hasher = createSecretHasher(dependencies.hashCost ?? HASH_COST, ids)
    const parts = {
      options,
      store,
      edit,
      ids,
      hasher,
      now,
      log,
      metrics,
      tracing,
      organization,
      serverVersion,
      validate: parseInnerBody
    }
    const demo = options.demo ? await setUpDemo({ ...parts, ...events }) : undefined

    const keys = await openSigningKeys(store, { now, ids })
    const configs = await openConfigs(store, createProblemReporter(log, metrics), { now, serverVersion })
    disposer.defer(configs.close)
    const sampleUsers = openSampleUsers(configs, { maxUsers: options.sampleUsers, random: Math.random })
    const usage = await openUserDataUsage(store, { now, maxUsers: options.maxStoredUsers })
    disposer.defer(async () => usage.close())
    const pace = { ...streamTimings, ...dependencies.streamTimings }
    const streams = openStreams(
      configs,
      { onMessage: () => metrics.streamMessages.inc(), onDrop: () => metrics.droppedStreams.inc() },
      {
        maxStreams: options.maxStreams,
        maxStreamsPerNetwork: options.maxStreamsPerNetwork,
        now,
        pace,
        random: Math.random
      }
    )
    disposer.defer(streams.close)
    const changeStreams = openChangeStreams(store, {
      maxStreams: options.maxStreams,
      now,
      pace,
      random: Math.random,
      onDrop: () => metrics.droppedStreams.inc()
    })
    disposer.defer(changeStreams.close)
    const runExclusively: OpenedStore['runExclusively'] = (name, start) => untraced.runExclusively(name, start)
    const deliveries = await openDeliveries({ ...parts, runExclusively, timings: dependencies.deliveryTimings })
    disposer.defer(deliveries.deliveryWorker.close)

    const address = createPublicAddress(options.publicUrl, log)
    const http = await composeHttp({
      ...parts,
      ...events,
      ...access,
      ...deliveries,
      ...address,
      isDemo: demo !== undefined,
      handlerNow: dependencies.handlerNow ?? now,
      dashboardDirectory: dependencies.dashboardDirectory,
      keys,
      configs,
      streams,
      changeStreams,
      usage,
      environmentUses,
      sampleUsers,
      lifecycle
    })
    const server = await listen(http.listener, options)
    disposer.defer(async () => {
      const lingerMs = lifecycle.lingerMs()
      await Promise.all([stopListening(server, lingerMs), setTimeout(lingerMs).then(http.closeTools)])
    })
    if (options.metricsPort !== 0) {
      const app = createMetricsApp(log, { metrics, token: options.metricsToken })
      const metricsServer = await listen(app.callback(), {
        host: options.host,
        port: options.metricsPort,
        portFlag: '--metrics-port'
      })
      disposer.defer(() => stopListening(metricsServer, 0))
    }
    // Closed before the listener, which open streams would keep open. Clients reconnect to other servers meanwhile.
    disposer.defer(streams.close)
    disposer.defer(changeStreams.close)
    // Releases the requests that wait for the start, in case it fails.
    disposer.defer(lifecycle.start)
    // The address of a server that listens on a port is an `AddressInfo`.
    const url = address.listenOn(server.address() as AddressInfo)

    // Late, because a failure afterwards would lose the generated secret.
    const administrator = await ensureAdministrator(store, { ...parts, given: administratorOf(options) })
    await restoreAccountClient({ store, edit, organization: organization.key }, toAccountUrl(address.publicUrl()))
    await openBackgroundJobs({
      ...parts,
      runExclusively,
      timings: jobTimings,
      inspect: events.inspect,
      usage,
      anchorKey,
      anchorUrl: options.auditAnchorUrl,
      send: deliveries.send,
      disposer
    })
    const signInLink =
      demo && http.hasDashboard ? await createDemoLink(parts, { url, publicUrl: address.publicUrl() }) : undefined
    // Everything has subscribed.
    untraced.follow()
    lifecycle.start()
    return { url, demo, signInLink, administrator, close: lifecycle.close, closed: lifecycle.closed }
  } catch (error) {
    await disposer.close()
    throw error
  }
}

/** The built program; sources and the build have the same parent folder. */
const SANDBOX_PROGRAM = new URL('../dist/sandboxProgram.js', import.meta.url)

/** Returns the administrator client of the settings. Both settings are set, or neither is. */
function administratorOf({ adminClientId, adminClientSecret }: Options): AdministratorCredentials | undefined {
  return adminClientId ? { clientId: adminClientId, clientSecret: adminClientSecret } : undefined
}
