import type { AuditLogChange, ExpiryWarning } from '@burgee/contract/schemas'
import { every } from '@burgee/kit'
import type { EditRunner } from '../../access/audit/edit.ts'
import { serverCaller } from '../../access/permissions/serverCaller.ts'
import type { Logger } from '../../lib/logger.ts'
import { maskSecret } from '../../lib/mask.ts'
import { DAY, MINUTE } from '../../lib/time.ts'
import type { SdkKey } from '../../storage/resources/project.ts'
import type { Store } from '../../storage/store.ts'
import {
  type ExpiringClient,
  type ExpiringKey,
  expiresWithin,
  listExpiringClients,
  listExpiringKeys
} from './listExpiring.ts'

interface Dependencies {
  readonly store: Store
  readonly edit: EditRunner
  readonly now: () => number
  readonly log: Logger
  /** How many days before the expiry warnings begin; 0 for none. */
  readonly warningDays: number
  /** How often the clock is checked, in milliseconds. */
  readonly checkMs?: number | undefined
}

/**
 * Warns about SDK keys and clients that expire soon: once a day in the log, and once in the audit log, which triggers
 * webhooks. The expiry of the last warning is stored with the key or client, so that a restart does not repeat it; a
 * changed expiry triggers another warning. Only one server may run it on a store.
 */
export function openExpiryWarnings({ checkMs = MINUTE, ...dependencies }: Dependencies): {
  readonly close: () => Promise<void>
} {
  const { log, warningDays } = dependencies
  if (warningDays === 0) return { close: async () => {} }
  const isFirstToday = createDailyFilter()
  const job = every(checkMs, () => warn(dependencies, isFirstToday), {
    immediately: true,
    onError: (error) => log.warn({ err: error }, 'the warnings about expiring keys failed')
  })
  return { close: job.stop }
}

async function warn(dependencies: Dependencies, isFirstToday: DailyFilter): Promise<void> {
  const { store, now, log, warningDays } = dependencies
  const time = now()
  const { items: environments } = await store.collection('environments').list()
  const keys = listExpiringKeys(environments).filter(({ sdkKey }) => expiresWithin(sdkKey.expiresAt, time, warningDays))
  for (const expiring of keys) {
    const { sdkKey, environment } = expiring
    if (isFirstToday(`${environment._id} ${sdkKey.key}`, time)) {
      const project = await store.collection('projects').get({ _id: environment._project })
      log.warn({ project: project?.key, ...describeKey(expiring) }, 'an SDK key expires soon')
    }
    if (sdkKey.warnedOf !== sdkKey.expiresAt) await recordKey(dependencies, expiring)
  }
  const { items } = await store.collection('clients').list()
  const clients = listExpiringClients(items).filter(({ expiresAt }) => expiresWithin(expiresAt, time, warningDays))
  for (const client of clients) {
    if (isFirstToday(client._id, time)) log.warn(describeClient(client), 'an API client expires soon')
    if (client.warnedOf !== client.expiresAt) await recordClient(dependencies, client)
  }
}

type DailyFilter = (id: string, now: number) => boolean

/** Returns a function that is true for the first use of an id on a day (UTC). */
function createDailyFilter(): DailyFilter {
  let today = -1
  const seen = new Set<string>()
  return (id, now) => {
    const day = Math.floor(now / DAY)
    if (day !== today) seen.clear()
    today = day
    return seen.size < seen.add(id).size
  }
}

function describeKey({ environment, type, sdkKey }: ExpiringKey) {
  return { environment: environment.key, type, key: maskSecret(sdkKey.key), expiresAt: sdkKey.expiresAt }
}

function describeClient({ clientId, name, expiresAt }: ExpiringClient) {
  return { clientId, name, expiresAt }
}

/** Records the warning, unless the key or its expiry has changed since it was read. */
async function recordKey({ store, edit }: Dependencies, expiring: ExpiringKey): Promise<void> {
  const { environment, type, sdkKey } = expiring
  const { _id, _project } = environment
  const project = await store.collection('projects').get({ _id: _project })
  if (!project) return
  await edit(serverCaller(project._organization), async (change) => {
    const environments = change.store.collection('environments')
    const current = await environments.get({ _id })
    if (!current) return
    const isSame = ({ key, expiresAt }: SdkKey) => key === sdkKey.key && expiresAt === sdkKey.expiresAt
    const keys = current.sdkKeys[type]
    if (!keys.some(isSame)) return
    const warned = keys.map((one) => (isSame(one) ? { ...one, warnedOf: sdkKey.expiresAt } : one))
    await environments.update(_id, { sdkKeys: { ...current.sdkKeys, [type]: warned } })
    const warning = toChange('expiringSdkKey', describeKey(expiring))
    change.recordChanges({ _project }, [{ ...warning, _environments: [_id] }])
  })
}

async function recordClient({ edit }: Dependencies, client: ExpiringClient): Promise<void> {
  const { _id, _organization, expiresAt } = client
  await edit(serverCaller(_organization), async (change) => {
    const clients = change.store.collection('clients')
    if ((await clients.get({ _id }))?.expiresAt !== expiresAt) return
    await clients.update(_id, { warnedOf: expiresAt })
    change.recordChanges({}, [toChange('expiringApiClient', describeClient(client))])
  })
}

/** The change entry of a warning, which changes no member. */
function toChange(type: ExpiryWarning, metadata: Readonly<Record<string, string>>): AuditLogChange {
  return { type, newContents: null, previousContents: null, metadata: { ...metadata } }
}
