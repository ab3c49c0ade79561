import { permissions } from '@burgee/contract'
import { type JWK, type JWTPayload, SignJWT } from 'jose'
import { options, type TestServer } from './harness.ts'
import { NOW } from './plan.ts'
import { storedData } from './storedData.ts'

/** Reads the private signing key of a server from the file of its store. */
export async function signingKeyOf({
  directory
}: Pick<TestServer, 'directory'>): Promise<JWK & { readonly kid: string }> {
  const [key] = (await storedData(directory)).signingKeys
  if (!key) throw new Error('the store has no signing key')
  return { ...key.privateJwk, kid: key.kid, alg: 'RS256' } as JWK & { kid: string }
}

/** Returns the claims of an access token with all permissions. */
export function claimsOf({ url }: Pick<TestServer, 'url'>, subject: string): JWTPayload {
  const seconds = Math.floor(NOW / 1000)
  return {
    iss: `${url}/`,
    aud: `${url}/`,
    sub: subject,
    azp: options.adminClientId,
    client_id: options.adminClientId,
    iat: seconds,
    exp: seconds + 3600,
    jti: 'a token of the tests',
    permissions: [...permissions]
  }
}

/** Creates an access token of a person, as the server signs it after a login to the client of the administrator. */
export async function personToken(server: TestServer, subject: string): Promise<string> {
  const key = await signingKeyOf(server)
  const signedIn = { auth_time: Math.floor(NOW / 1000), amr: ['pwd'] }
  return new SignJWT({ ...claimsOf(server, subject), ...signedIn })
    .setProtectedHeader({ alg: 'RS256', typ: 'at+jwt', kid: key.kid })
    .sign(key)
}
