import { SECOND } from '../../lib/time.ts'

/** The provider did not respond. The message has the reason. */
export class ProviderUnreachableError extends Error {
  override readonly name = 'ProviderUnreachableError'
}

/** Whether the provider is unreachable, in contrast to a refused request. */
function isUnreachable(error: unknown): boolean {
  if (error instanceof ProviderUnreachableError) return true
  return error instanceof Error && error.cause !== undefined && isUnreachable(error.cause)
}

/**
 * Creates a function that runs work, unless the provider was unreachable within the cooldown: then it fails without a
 * request.
 */
export function createCooldown(now: () => number): <T>(work: () => Promise<T>) => Promise<T> {
  let failedAt: number | undefined
  return async (work) => {
    const elapsed = failedAt === undefined ? COOLDOWN_MS : now() - failedAt
    // A clock that was set back ends the cooldown.
    if (elapsed >= 0 && elapsed < COOLDOWN_MS)
      throw new ProviderUnreachableError('the provider did not respond to a recent request')
    try {
      return await work()
    } catch (error) {
      if (isUnreachable(error)) failedAt = now()
      throw error
    }
  }
}

/** How long no requests are sent to an unreachable provider, in milliseconds. */
const COOLDOWN_MS = 10 * SECOND

/** Whether the provider refused a request for a person: it ended the session, or disabled the account. */
export async function isRefusal(error: unknown): Promise<boolean> {
  const { ResponseBodyError, WWWAuthenticateChallengeError } = await import('openid-client')
  if (error instanceof ResponseBodyError) return REFUSALS.has(error.error)
  return error instanceof WWWAuthenticateChallengeError && error.status === 401
}

/** The errors of a refresh that a new sign-in resolves. Others, such as `invalid_client`, are configuration errors. */
const REFUSALS: ReadonlySet<string> = new Set([
  'invalid_grant',
  'access_denied',
  'interaction_required',
  'login_required',
  'consent_required',
  'account_selection_required'
])
