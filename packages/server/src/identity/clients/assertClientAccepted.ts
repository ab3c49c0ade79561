import type { Context } from 'koa'
import { findClientRefusal } from '../../access/restrictions/clientRefusal.ts'
import type { StoredClient } from '../../storage/resources/organization.ts'
import type { Store } from '../../storage/store.ts'
import { OAuthHttpError } from '../oauth/oauthError.ts'
import { setAccess } from '../requestState.ts'

interface Dependencies {
  readonly store: Store
  readonly now: () => number
}

/**
 * Asserts that the restrictions of a client accept a request to the token endpoint. Call it for authenticated clients,
 * and for public ones, which have no authentication.
 * @throws {OAuthHttpError} 401 if it has expired, 403 if it is not accepted from the address.
 */
export async function assertClientAccepted(
  ctx: Pick<Context, 'ip' | 'state'>,
  client: StoredClient | string,
  { store, now }: Dependencies
): Promise<void> {
  const found = typeof client === 'string' ? await store.collection('clients').get({ clientId: client }) : client
  const refusal = found && findClientRefusal(found, { address: ctx.ip, now: now() })
  if (!refusal) return
  const { caller, reason, restriction, status, message } = refusal
  setAccess(ctx, { ...caller, reason })
  // RFC 6749 §5.2 has no code for a refused address.
  throw new OAuthHttpError(status, restriction === 'expired' ? 'invalid_client' : 'access_denied', message)
}
