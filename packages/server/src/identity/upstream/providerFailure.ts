/** The provider did not respond. The message has the reason. */
export class ProviderUnreachableError extends Error {
  override readonly name = 'ProviderUnreachableError'
}

/** Whether the provider is unreachable, in contrast to a refused request. */
export function isUnreachable(error: unknown): boolean {
  if (error instanceof ProviderUnreachableError) return true
  return error instanceof Error && error.cause !== undefined && isUnreachable(error.cause)
}

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
