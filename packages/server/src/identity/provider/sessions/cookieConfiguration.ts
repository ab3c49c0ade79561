import type { Configuration } from 'oidc-provider'
import { deriveSecrets } from '../../keys/deriveSecrets.ts'
import type { SigningKeys } from '../../keys/signingKeys.ts'

/**
 * The cookies of the authorization server. Over https, browsers enforce their prefixes: `__Secure-` that they are set
 * over https, `__Host-` that this host set the session cookie. Over http, which is meant for evaluation, there are no
 * prefixes.
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
