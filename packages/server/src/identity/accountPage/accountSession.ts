import { withoutTrailingSlashes } from '@burgee/kit/text'
import type { Context } from 'koa'
import type { Provider } from 'oidc-provider'
import type { TokenCaller } from '../../access/permissions/caller.ts'
import { toUserIdentity } from '../../access/permissions/findIdentity.ts'
import { HttpError } from '../../lib/errors.ts'
import type { IdGenerator } from '../../lib/idGenerator.ts'
import { normalizeAddress } from '../../lib/network.ts'
import { SECOND } from '../../lib/time.ts'
import type { StoredUser } from '../../storage/resources/organization.ts'
import type { Store } from '../../storage/store.ts'
import { ACCOUNT_CLIENT_ID } from '../clients/accountClient.ts'
import { paths } from '../oauth/paths.ts'
import { toPublicPath } from '../oauth/toIssuer.ts'
import { assertRecentSignIn } from '../secondFactor/assertRecentSignIn.ts'

/** A person who has just signed in, in this browser. */
export interface AccountSession {
  readonly user: StoredUser
  /** The person, as the caller of the operations about themselves. */
  readonly caller: TokenCaller
  /** The id of the session, to which forms are bound. */
  readonly uid: string
}

interface Dependencies {
  readonly provider: () => Promise<Provider>
  readonly store: Store
  readonly now: () => number
}

/**
 * Returns the person of the session cookie; `undefined` without a sign-in within the last ten minutes, with the
 * second factor if there is one.
 */
export async function findAccountSession(
  dependencies: Dependencies,
  ctx: Context
): Promise<AccountSession | undefined> {
  const { provider, store } = dependencies
  const { accountId, loginTs, amr = [], uid } = await (await provider()).Session.get(ctx as never)
  const user = accountId === undefined ? undefined : await store.collection('users').get({ userId: accountId })
  const organization = user && (await store.collection('organizations').get({ key: user._organization }))
  if (!organization || user.isDisabled || loginTs === undefined) return undefined
  const caller: TokenCaller = {
    ...toUserIdentity(user, organization),
    signIn: { at: loginTs * SECOND, methods: amr, origin: uid },
    clientId: ACCOUNT_CLIENT_ID,
    requiredPermission: 'project:read',
    source: 'api',
    address: normalizeAddress(ctx.ip)
  }
  try {
    await assertRecentSignIn(dependencies, caller, user)
    return { user, caller, uid }
  } catch (error) {
    if (error instanceof HttpError && error.status === 403) return undefined
    throw error
  }
}

/** Returns the redirect URI of the account page. */
export function toAccountUrl(publicUrl: string): string {
  return `${withoutTrailingSlashes(publicUrl)}${paths.account}`
}

/**
 * Returns the address that signs a person in again and returns to the page. The page uses the session of that sign-in;
 * the code is never exchanged, so its PKCE verifier is not stored.
 */
export function toSignInAddress(publicUrl: string, { bytes }: Pick<IdGenerator, 'bytes'>): string {
  const query = new URLSearchParams({
    client_id: ACCOUNT_CLIENT_ID,
    response_type: 'code',
    redirect_uri: toAccountUrl(publicUrl),
    scope: 'openid',
    prompt: 'login',
    code_challenge: bytes(32).toString('base64url'),
    code_challenge_method: 'S256'
  })
  return `${toPublicPath(publicUrl, paths.authorize)}?${query}`
}
