import { createEditRunner } from './access/audit/edit.ts'
import { parseInnerBody } from './api/http/request/parseRequestPart.ts'
import { setUpDemo } from './cli/demo/setUpDemo.ts'
import type { Options } from './cli/options.ts'
import { openAccessLogServices } from './composition/accessLog.ts'
import { loadAnchorKey } from './composition/anchorKey.ts'
import { openRotatingBackups } from './composition/backups.ts'
import { openConfigDelivery } from './composition/configDelivery.ts'
import { createDemoLink } from './composition/dashboard.ts'
import { openDeliveries } from './composition/deliveries.ts'
import { openEvents } from './composition/events.ts'
import { composeHttp } from './composition/http/http.ts'
import { openBackgroundJobs } from './composition/jobs.ts'
import { createLifecycle, type Lifecycle } from './composition/lifecycle.ts'
import { openListeners } from './composition/listeners.ts'
import { openMonitoredStore } from './composition/monitoredStore.ts'
import { createPublicAddress } from './composition/publicAddress.ts'
import { keepConfigCopies, readConfigCopies } from './composition/replicas/configCopies.ts'
import { startEdgeNode } from './composition/replicas/edgeNode.ts'
import { startStandby, type TakeOver } from './composition/replicas/standby.ts'
import type { RunningServer, ServerDependencies } from './composition/runningServer.ts'
import { createWorkerPool, type WorkerPool } from './composition/workers/workerPool.ts'
import { writeOrRetry } from './composition/writeOrRetry.ts'
import type { Configs } from './delivery/configs/configs.ts'
import { warmUp } from './delivery/configs/warmUp.ts'
import { openUserDataUsage } from './flags/applicationUsers/userDataUsage.ts'
import { openEnvironmentUses } from './flags/environments/environmentUse.ts'
import { toAccountUrl } from './identity/accountPage/accountSession.ts'
import { restoreAccountClient } from './identity/clients/accountClient.ts'
import { type AdministratorCredentials, ensureAdministrator } from './identity/clients/ensureAdministrator.ts'
import { openSigningKeys } from './identity/keys/signingKeys.ts'
import { assertOtherSignIn } from './identity/organizations/assertOtherSignIn.ts'
import { ensureOrganization } from './identity/organizations/ensureOrganization.ts'
import { createSecretHasher, HASH_COST } from './identity/secrets/secretHash.ts'
import { type Disposer, openWithDisposer } from './lib/disposer.ts'
import { type IdGenerator, randomIdGenerator } from './lib/idGenerator.ts'
import { createLogger, type Logger } from './lib/logger.ts'
import { openSandbox } from './lib/sandbox/sandbox.ts'
import type { StoredOrganization } from './storage/resources/organization.ts'
import { type Store, StoreUnreachableError } from './storage/store.ts'
import { isDatabaseUrl } from './storage/storeUrl.ts'
import type { GaugeSources } from './telemetry/metrics/gauges.ts'
import { packageVersion } from './version.ts'

/**
 * Starts a server: opens the store, compiles its environments, and listens. With the setting `edge`, starts an edge
 * node. If the database is not available, evaluates with copies of the configs until it is, if there are any.
 * @throws {StoreOpenError} if the store cannot be opened.
 * @throws {OptionError} if the address is in use, or the packages for tracing are not installed.
 */
export async function startServer(options: Options, dependencies: ServerDependencies = {}): Promise<RunningServer> {
  if (options.edge) return startEdgeNode(options, dependencies)
  const { log = createLogger(options.logLevel) } = dependencies
  const { warmUpMs = 0 } = dependencies
  const workers =
    options.workers > 1 ? createWorkerPool({ options, log, program: WORKER_PROGRAM, warmUpMs }) : undefined
  const open = (takeOver?: TakeOver) =>
    openWithDisposer((disposer) => openServer(options, { ...dependencies, log }, { disposer, workers, takeOver }))
  try {
    return await open()
  } catch (error) {
    if (!(error instanceof StoreUnreachableError)) throw error
    const copies = await readConfigCopies(options, log).catch(() => [])
    if (copies.length === 0) throw error
    return startStandby({ options, dependencies, copies, log, cause: error, workers, open })
  }
}

interface Opening {
  readonly disposer: Disposer
  /** The processes that evaluate; only this one if absent. */
  readonly workers: WorkerPool | undefined
  /** The listening server that this one takes over. */
  readonly takeOver: TakeOver | undefined
}

/** What every step of the start needs. */
interface Start extends Opening {
  readonly options: Options
  readonly dependencies: ServerDependencies & { readonly log: Logger }
  readonly lifecycle: Lifecycle
}

/** Opens the parts of a server from the store up. The disposer closes them in reverse. */
async function openServer(
  options: Options,
  dependencies: Start['dependencies'],
  opening: Opening
): Promise<RunningServer> {
  const lifecycle = createLifecycle(opening.disposer, dependencies.log)
  const start = { options, dependencies, lifecycle, ...opening }
  const parts = await openParts(start)
  const { http, address, url, metricsListener } = await openHttp(parts, start)
  // Late, because a failure afterwards would lose the generated secret.
  const administrator = await openAdministrator(parts, start)
  await startJobs(parts, { ...start, publicUrl: address.publicUrl() })
  const { demo, delivery, events, environmentUses } = parts
  const signInLink =
    demo && http.hasDashboard ? await createDemoLink(parts, { url, publicUrl: address.publicUrl() }) : undefined
  const people = await parts.store.collection('users').list({ perPage: 1 })
  const needsPerson = http.hasDashboard && people.count === 0 && options.oidcIssuer === ''
  // Everything has subscribed.
  await parts.follow()
  const { announce } = http
  opening.workers?.serve({ ...delivery, ...address, recorder: events.recorder, environmentUses, announce })
  lifecycle.start()
  opening.takeOver?.activate({ listener: http.listener, metricsListener, append: events.recorder.append })
  await lifecycle.warmUp(() => warmUpEvaluations(start, delivery.configs))
  return { url, demo, signInLink, needsPerson, administrator, close: lifecycle.close, closed: lifecycle.closed }
}

type Storage = Awaited<ReturnType<typeof openStorage>>
type Parts = Awaited<ReturnType<typeof openParts>>

/** Opens what answers requests. */
async function openParts(start: Start) {
  const { options, dependencies, disposer } = start
  const storage: Storage = await openStorage(start, {
    configs: () => delivery.configs.size(),
    streams: () => delivery.streams.size()
  })
  const { store, log, now, ids, events } = storage
  const sandbox = openSandbox({
    program: SANDBOX_PROGRAM,
    onFailure: (error) => log.error({ err: error }, 'validation schemas cannot be checked')
  })
  disposer.defer(sandbox.close)
  const parts = {
    ...storage,
    edit: createEditRunner({ store, sandbox, ids, now }),
    hasher: createSecretHasher(dependencies.hashCost ?? HASH_COST, ids),
    validate: parseInnerBody
  }
  const demo = options.demo ? await setUpDemo({ ...parts, ...events }) : undefined
  // Nothing but the history of a new demo has been counted yet.
  storage.metrics.clearEvents()
  const keys = await openSigningKeys(store, { now, ids })
  const delivery = await openConfigDelivery({ ...storage, timings: dependencies.streamTimings, disposer })
  await keepConfigCopies({ ...storage, configs: delivery.configs, disposer })
  const usage = await openUserDataUsage(store, { now, log, maxUsers: options.maxStoredUsers })
  disposer.defer(async () => usage.close())
  const deliveries = await openDeliveries({ ...parts, timings: dependencies.deliveryTimings })
  disposer.defer(deliveries.deliveryWorker.close)
  return { ...parts, demo, keys, delivery, usage, deliveries }
}

/** Opens the store, and what is stored beside it: events and the access log. */
async function openStorage(
  { options, dependencies, lifecycle, workers, disposer }: Start,
  gauges: Pick<GaugeSources, 'configs' | 'streams'>
) {
  const { now = Date.now, ids = randomIdGenerator, log, jobTimings, lockTimings } = dependencies
  const serverVersion = packageVersion()
  const anchorKey = await loadAnchorKey(options, log)
  const stored = await openMonitoredStore({
    ...{ options, now, log, serverVersion, lockTimings, gauges, workers, disposer },
    onLost: lifecycle.loseStore,
    compactionProgram: COMPACTION_PROGRAM
  })
  const base = { options, ...stored, now, ids, log, serverVersion }
  const environmentUses = openEnvironmentUses(base)
  disposer.defer(environmentUses.close)
  const events = await openEvents({ ...base, environmentUses, workers, clockMs: jobTimings?.clockMs, disposer })
  const organization = await openOrganization(base)
  const access = await openAccessLogServices({ ...base, organization, disposer })
  return { ...base, anchorKey, environmentUses, events, organization, access }
}

/** Composes the listener, and listens. */
async function openHttp(parts: Parts, { dependencies, lifecycle, workers, takeOver, disposer }: Start) {
  const { options, log, events, access, delivery, deliveries } = parts
  const address = createPublicAddress(options.publicUrl, { log, isShared: isDatabaseUrl(options.store) })
  const http = await composeHttp({
    ...parts,
    ...events,
    ...access,
    ...delivery,
    ...deliveries,
    ...address,
    isDemo: parts.demo !== undefined,
    handlerNow: dependencies.handlerNow ?? parts.now,
    dashboardDirectory: dependencies.dashboardDirectory,
    providerTimeoutMs: dependencies.providerTimeoutMs,
    lifecycle
  })
  const listening = await openListeners({
    ...parts,
    streams: [delivery.streams, delivery.changeStreams],
    lifecycle,
    http,
    listening: takeOver?.listening,
    workers,
    ownsServer: takeOver?.isActive,
    timings: dependencies.streamTimings,
    requestTimeoutMs: dependencies.requestTimeoutMs,
    disposer
  })
  return { http, address, url: address.listenOn(listening), metricsListener: listening.metricsListener }
}

/** Warms up the evaluations of this process, or waits until workers have warmed up theirs. */
async function warmUpEvaluations({ dependencies, lifecycle, workers, takeOver }: Start, configs: Configs) {
  const { warmUpMs: limitMs = 0 } = dependencies
  // A server that takes over from its own standby has evaluated before.
  if (limitMs === 0 || takeOver) return
  if (workers) await workers.whenActive()
  else await warmUp(configs.all(), { ...lifecycle, limitMs })
}

/** Starts what runs without a request. */
async function startJobs(
  parts: Parts,
  { options, dependencies, publicUrl, disposer }: Start & { readonly publicUrl: string }
): Promise<void> {
  const { store, edit, organization, events, deliveries } = parts
  const { jobTimings } = dependencies
  const restore = () => restoreAccountClient({ store, edit, organization: organization.key }, toAccountUrl(publicUrl))
  await writeOrRetry(restore, 'the client of the account page', { log: parts.log, disposer })
  await openBackgroundJobs({
    ...parts,
    timings: jobTimings,
    inspect: events.inspect,
    anchorUrl: options.auditAnchorUrl,
    send: deliveries.send,
    disposer
  })
  disposer.defer(openRotatingBackups({ ...parts, program: BACKUP_PROGRAM, checkMs: jobTimings?.clockMs }).close)
}

/** Ensures that there is an administrator client. One from the settings is created once the store can be written. */
async function openAdministrator(parts: Parts, { options, disposer }: Start) {
  const given = administratorOf(options)
  let generated: AdministratorCredentials | undefined
  const ensure = async () => {
    generated = await ensureAdministrator(parts.store, { ...parts, given })
  }
  if (given) await writeOrRetry(ensure, 'the administrator client of the settings', { log: parts.log, disposer })
  else await ensure()
  return generated
}

/**
 * Opens the organization of a server, and checks that its people can sign in by the settings.
 * @throws {OptionError} if no one could.
 */
async function openOrganization({
  options,
  store,
  now,
  ids,
  log
}: {
  readonly options: Options
  readonly store: Store
  readonly now: () => number
  readonly ids: IdGenerator
  readonly log: Logger
}): Promise<StoredOrganization> {
  const organization = await ensureOrganization(store, { now, ids })
  if (options.oidcIssuer && organization.settings.permissions.mode === 'flat') {
    log.warn('everyone who can sign in through the identity provider has full access: permissions.mode is flat')
  }
  if (options.passwords === 'off') await assertOtherSignIn(store, options)
  return organization
}

/** The built programs; sources and the build have the same parent folder. */
const SANDBOX_PROGRAM = new URL('../dist/sandboxProgram.js', import.meta.url)
const BACKUP_PROGRAM = new URL('../dist/backupProgram.js', import.meta.url)
const WORKER_PROGRAM = new URL('../dist/workerProgram.js', import.meta.url)
const COMPACTION_PROGRAM = new URL('../dist/compactionProgram.js', import.meta.url)

/** Returns the administrator client of the settings. Both settings are set, or neither is. */
function administratorOf({ adminClientId, adminClientSecret }: Options): AdministratorCredentials | undefined {
  return adminClientId ? { clientId: adminClientId, clientSecret: adminClientSecret } : undefined
}
