import { type SdkKeyType, sdkKeyTypes } from '@burgee/contract'
import { DAY } from '../../lib/time.ts'
import type { SdkKey, StoredEnvironment } from '../../storage/resources/project.ts'
import type { Store } from '../../storage/store.ts'

/** An SDK key with an expiry. */
export interface ExpiringKey {
  readonly environment: StoredEnvironment
  readonly type: SdkKeyType
  readonly sdkKey: SdkKey & { readonly expiresAt: string }
}

/** A credential of the organization with an expiry. */
export type Expiring<T extends { readonly expiresAt?: string }> = T & { readonly expiresAt: string }

/** Returns the SDK keys of environments that have an expiry, past or future. */
export function listExpiringKeys(environments: readonly StoredEnvironment[]): readonly ExpiringKey[] {
  return environments.flatMap((environment) =>
    sdkKeyTypes.flatMap((type) =>
      environment.sdkKeys[type].flatMap((sdkKey) => {
        const { expiresAt } = sdkKey
        return expiresAt === undefined ? [] : [{ environment, type, sdkKey: { ...sdkKey, expiresAt } }]
      })
    )
  )
}

/** Returns the API clients, SCIM tokens or trusts that have an expiry, past or future. */
export function listExpiring<T extends { readonly expiresAt?: string }>(items: readonly T[]): readonly Expiring<T>[] {
  return items.flatMap((item) => {
    const { expiresAt } = item
    return expiresAt === undefined ? [] : [{ ...item, expiresAt }]
  })
}

/** Whether a time is at most this many days in the future. */
export function expiresWithin(expiresAt: string, now: number, days: number): boolean {
  const moment = Date.parse(expiresAt)
  return now < moment && moment <= now + days * DAY
}

/** The kinds of expiring credentials, as labels of metrics. */
export const expiringKinds = ['sdk_key', 'api_client', 'scim_token', 'workload_trust'] as const

/** The states of expiring credentials, as labels of metrics. */
export const expiryStates = ['expiring', 'expired'] as const

/** The number of credentials by kind and state. */
export type ExpiryCounts = Readonly<
  Record<(typeof expiringKinds)[number], Readonly<Record<(typeof expiryStates)[number], number>>>
>

/** Counts the credentials that expire within this many days, and those that have expired. */
export async function countExpiring(
  store: Pick<Store, 'collection'>,
  now: number,
  days: number
): Promise<ExpiryCounts> {
  const { items: environments } = await store.collection('environments').list()
  const count = (moments: readonly string[]) => ({
    expiring: moments.filter((moment) => expiresWithin(moment, now, days)).length,
    expired: moments.filter((moment) => Date.parse(moment) <= now).length
  })
  return {
    sdk_key: count(listExpiringKeys(environments).map(({ sdkKey }) => sdkKey.expiresAt)),
    api_client: count(await momentsOf(store, 'clients')),
    scim_token: count(await momentsOf(store, 'scimTokens')),
    workload_trust: count(await momentsOf(store, 'workloadTrusts'))
  }
}

/** The collections of the organization whose items can have an expiry. */
export type ExpiringCollection = 'clients' | 'scimTokens' | 'workloadTrusts'

async function momentsOf(store: Pick<Store, 'collection'>, name: ExpiringCollection): Promise<readonly string[]> {
  const { items } = await store.collection(name).list()
  return items.flatMap(({ expiresAt }) => expiresAt ?? [])
}
