import type { Account } from 'oidc-provider'
import type { Store } from '../../storage/store.ts'

/** Returns a person as `oidc-provider` expects it; undefined if deleted or disabled. */
export async function findAccount(store: Store, userId: string): Promise<Account | undefined> {
  const user = await store.collection('users').get({ userId })
  if (!user || user.isDisabled) return undefined
  const { name, email, picture } = user
  return {
    accountId: userId,
    claims: () => ({ sub: userId, name, email, ...(picture === undefined ? {} : { picture }) })
  }
}
