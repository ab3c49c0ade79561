/** The provider did not answer. The message says why. */
export class ProviderUnreachableError extends Error {
  override readonly name = 'ProviderUnreachableError'
}

/** Whether the provider itself failed, and not one request to it. */
export function isUnreachable(error: unknown): boolean {
  if (error instanceof ProviderUnreachableError) return true
  return error instanceof Error && error.cause !== undefined && isUnreachable(error.cause)
}

/** Whether the provider refused to say anything about a person: it ended the session, or disabled the account. */
export async function isRefusal(error: unknown): Promise<boolean> {
  const { ResponseBodyError, WWWAuthenticateChallengeError } = await import('openid-client')
  if (error instanceof ResponseBodyError) return REFUSALS.has(error.error)
  return error instanceof WWWAuthenticateChallengeError && error.status === 401
}

/** The errors of a refresh that a new sign-in resolves; others, such as `invalid_client`, are errors of the setup. */
const REFUSALS: ReadonlySet<string> = new Set([
  'invalid_grant',
  'access_denied',
  'interaction_required',
  'login_required',
  'consent_required',
  'account_selection_required'
])
