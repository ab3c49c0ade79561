import type { Configuration } from 'oidc-provider'
import { deriveSecrets } from '../keys/deriveSecrets.ts'
import type { SigningKeys } from '../keys/signingKeys.ts'

/**
 * The cookies of the authorization server. Over https they have prefixes that browsers enforce: set over https, and for the session
 * cookie by this host. Over http, which is meant for trying things out, prefixes do not exist.
 */
export function cookieConfiguration(keys: SigningKeys, publicUrl: string): NonNullable<Configuration['cookies']> {
  const secure = publicUrl.startsWith('https:')
  const [host, bound] = secure ? ['__Host-', '__Secure-'] : ['', '']
  const options = { signed: true, httpOnly: true, sameSite: 'lax', secure } as const
  return {
    // Two cookies belong to one interaction and its path, so that several logins can be pending at once.
    names: { session: `${host}burgee`, interaction: `${bound}burgee-sign-in`, resume: `${bound}burgee-resume` },
    keys: deriveSecrets(keys, 'cookies'),
    long: options,
    short: options
  }
}
