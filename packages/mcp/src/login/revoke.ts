import { None, tokenRevocation } from 'openid-client'
import type { SignedIn } from './credentialFile.ts'
import { discover, toldBy } from './discover.ts'

/** Has the server forget a sign-in (RFC 7009). */
export async function revoke(apiUrl: string, { clientId, refreshToken }: SignedIn): Promise<void> {
  try {
    const server = await discover(apiUrl, clientId, None())
    await tokenRevocation(server, refreshToken, { token_type_hint: 'refresh_token' })
  } catch (error) {
    throw toldBy(error, apiUrl)
  }
}
