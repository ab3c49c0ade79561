import { createHash } from 'node:crypto'
import type { Context } from 'koa'
import type { EditRunner } from '../../access/audit/edit.ts'
import { serverCaller } from '../../access/permissions/serverCaller.ts'
import { HttpError } from '../../lib/errors.ts'
import type { IdGenerator } from '../../lib/idGenerator.ts'
import type { Logger } from '../../lib/logger.ts'
import { SECOND } from '../../lib/time.ts'
import type { StoredUser } from '../../storage/resources/organization.ts'
import type { Store } from '../../storage/store.ts'
import { recordSignOut } from '../account/signOut.ts'
import { OAuthHttpError } from '../oauth/oauthError.ts'
import { FORM_CONTENT_TYPE, readRequestParameters } from '../oauth/readRequestParameters.ts'
import { setAccess } from '../requestState.ts'
import { consumeLogoutToken, isLogoutTokenConsumed } from '../revocation/revocations.ts'
import { revokeAuthorizations } from '../revocation/revokeAuthorizations.ts'
import { endUpstreamSession } from '../upstream/endUpstreamSession.ts'
import type { IdentityProvider } from '../upstream/identityProvider.ts'
import { CLOCK_SKEW_S, type LogoutToken, LogoutTokenError, MAX_LOGOUT_TOKEN_AGE_S } from '../upstream/logoutToken.ts'

interface Dependencies {
  readonly store: Store
  readonly edit: EditRunner
  readonly ids: IdGenerator
  readonly now: () => number
  readonly log: Logger
  readonly identityProvider: IdentityProvider
  /** @throws {HttpError} 429 after too many refused requests from an address. */
  readonly limitRefusedLogouts: (address: string) => Promise<void>
}

/**
 * Handles requests from the identity provider to end sessions (OpenID Connect Back-Channel Logout 1.0 §2.5). A token
 * with `sid` ends that session; one with `sub` alone signs the person out everywhere. Valid tokens are never
 * rate-limited, so that others cannot prevent the provider from ending sessions. The response does not reveal whether
 * there was a session.
 */
export function createBackchannelLogout(dependencies: Dependencies): (ctx: Context) => Promise<void> {
  const { limitRefusedLogouts } = dependencies
  return async (ctx) => {
    ctx.state.access = { kind: 'signOut', method: 'provider' }
    try {
      // §2.5 allows forms only.
      const parameters = await readRequestParameters(ctx.req, [FORM_CONTENT_TYPE])
      const userId = await endSessions(
        await readToken(parameters.get('logout_token') ?? '', dependencies),
        dependencies
      )
      if (userId !== undefined) setAccess(ctx, { idp_user: userId })
    } catch (error) {
      if (error instanceof HttpError) await limitRefusedLogouts(ctx.ip)
      throw error
    }
    ctx.status = 200
    ctx.body = ''
  }
}

async function readToken(token: string, { identityProvider, log }: Dependencies): Promise<LogoutToken> {
  if (token === '') throw refused('logout_token is missing')
  try {
    return await identityProvider.verifyLogoutToken(token)
  } catch (error) {
    if (error instanceof LogoutTokenError) throw refused(`the logout token is not valid: ${error.message}`)
    log.warn({ err: error }, 'a logout token could not be verified: the identity provider did not answer')
    // §2.8 requires this status.
    throw new OAuthHttpError(400, 'temporarily_unavailable', 'the keys of the identity provider could not be read')
  }
}

/**
 * Ends the session or sessions in the token. Returns the id of the person, if known.
 * @throws {HttpError} 400 for a used token.
 */
async function endSessions(token: LogoutToken, dependencies: Dependencies): Promise<string | undefined> {
  const { store, now, identityProvider } = dependencies
  const { issuer } = identityProvider
  const { jti, sid, sub } = token
  const digest = createHash('sha256').update(`${issuer} ${jti}`).digest('hex')
  if (await isLogoutTokenConsumed(store, digest)) throw replayed()
  const user = sid === undefined && sub !== undefined ? await signOutSubject(sub, dependencies) : undefined
  const expiresAt = now() + (MAX_LOGOUT_TOKEN_AGE_S + 2 * CLOCK_SKEW_S) * SECOND
  return store.transaction(async (transaction) => {
    if (!(await consumeLogoutToken(transaction, { digest, expiresAt }, dependencies))) throw replayed()
    if (sid === undefined) return user?.userId
    const { items } = await transaction.collection('upstreamSessions').list({ where: { sid, issuer } })
    const ended = items.filter(({ subject }) => sub === undefined || sub === subject)
    for (const session of ended) await endUpstreamSession(transaction, session, dependencies)
    return ended[0]?.userId
  })
}

/** Ends everything that was issued to a person. */
async function signOutSubject(
  subject: string,
  { store, edit, identityProvider }: Dependencies
): Promise<StoredUser | undefined> {
  const { items } = await store.collection('users').list()
  const known = items.find(({ identity }) => {
    return identity?.issuer === identityProvider.issuer && identity.subject === subject
  })
  if (!known) return undefined
  const user = await edit(serverCaller(known._organization), async (change) => {
    const current = await change.store.collection('users').get({ _id: known._id })
    return current && recordSignOut(change, current)
  })
  if (user) await revokeAuthorizations(store, { accountId: user.userId }, user.signedOutAt)
  return user
}

function replayed(): OAuthHttpError {
  return refused('the logout token is not valid: its jti was used before')
}

function refused(message: string): OAuthHttpError {
  return new OAuthHttpError(400, 'invalid_request', message)
}
