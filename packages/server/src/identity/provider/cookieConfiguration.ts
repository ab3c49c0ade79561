import type { Configuration } from 'oidc-provider'
import { deriveSecrets } from '../keys/deriveSecrets.ts'
import type { SigningKeys } from '../keys/signingKeys.ts'

/**
 * The cookies of the authorization server. Over https, browsers are held to what their prefixes promise: they came over
 * https, and the one of the session from this host. Over http, which is for trying things out, there is no such promise.
 */
export function cookieConfiguration(keys: SigningKeys, publicUrl: string): NonNullable<Configuration['cookies']> {
  const secure = publicUrl.startsWith('https:')
  const [host, bound] = secure ? ['__Host-', '__Secure-'] : ['', '']
  const options = { signed: true, httpOnly: true, sameSite: 'lax', secure } as const
  return {
    // Two of them belong to one request to sign in, and to its path alone, so that several can be under way at once.
    names: { session: `${host}burgee`, interaction: `${bound}burgee-sign-in`, resume: `${bound}burgee-resume` },
    keys: deriveSecrets(keys, 'cookies'),
    long: options,
    short: options
  }
}
