import type { AuditLogChange, ExpiryWarning } from '@burgee/contract/schemas'
import { every, omitUndefined } from '@burgee/kit'
import type { EditRunner } from '../../access/audit/edit.ts'
import { serverCaller } from '../../access/permissions/serverCaller.ts'
import type { Logger } from '../../lib/logger.ts'
import { maskSecret } from '../../lib/secrets/mask.ts'
import { DAY, MINUTE } from '../../lib/time.ts'
import type { SdkKey } from '../../storage/resources/project.ts'
import type { Store } from '../../storage/store.ts'
import {
  type ExpiringCollection,
  type ExpiringKey,
  expiresWithin,
  listExpiring,
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
 * Warns about SDK keys, clients, SCIM tokens and trusts that expire soon: once a day in the log, and once in the audit
 * log, which triggers webhooks. The expiry of the last warning is stored with each, so that a restart does not repeat
 * it; a changed expiry triggers another warning. Only one server may run it on a store.
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
  for (const name of ['clients', 'scimTokens', 'workloadTrusts'] as const) {
    const { items } = await store.collection(name).list()
    for (const { expiresAt, ...item } of listExpiring<OrganizationItem>(items)) {
      if (!expiresWithin(expiresAt, time, warningDays)) continue
      const details = { ...describeItem(item), expiresAt }
      if (isFirstToday(item._id, time)) log.warn(details, organizationWarnings[name].message)
      if (item.warnedOf !== expiresAt) await recordItem(dependencies, name, item, details)
    }
  }
}

/** An API client, a SCIM token or a trust. */
interface OrganizationItem {
  readonly _id: string
  readonly name: string
  readonly clientId?: string
  /** Of a trust. */
  readonly key?: string
  readonly expiresAt?: string
  readonly warnedOf?: string
  readonly _organization: string
}

const organizationWarnings = {
  clients: { type: 'expiringApiClient', message: 'an API client expires soon' },
  scimTokens: { type: 'expiringScimToken', message: 'a SCIM token expires soon' },
  workloadTrusts: { type: 'expiringWorkloadTrust', message: 'a trust expires soon' }
} as const satisfies Record<ExpiringCollection, { readonly type: ExpiryWarning; readonly message: string }>

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

function describeItem({ clientId, key: trust, name }: Omit<OrganizationItem, 'expiresAt'>) {
  return omitUndefined({ clientId, trust, name })
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

/** Records the warning, unless the expiry has changed since it was read. */
async function recordItem(
  { edit }: Dependencies,
  name: ExpiringCollection,
  { _id, _organization }: Pick<OrganizationItem, '_id' | '_organization'>,
  details: { readonly expiresAt: string }
): Promise<void> {
  await edit(serverCaller(_organization), async (change) => {
    const items = change.store.collection(name)
    if ((await items.get({ _id }))?.expiresAt !== details.expiresAt) return
    await items.update(_id, { warnedOf: details.expiresAt })
    change.recordChanges({}, [toChange(organizationWarnings[name].type, { ...details })])
  })
}

/** The change entry of a warning, which changes no member. */
function toChange(type: ExpiryWarning, metadata: Readonly<Record<string, string>>): AuditLogChange {
  return { type, newContents: null, previousContents: null, metadata: { ...metadata } }
}
