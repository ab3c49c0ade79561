import { type ApiResponse, call, send, type TestServer } from '@burgee/testing/harness'

/** A client of SCIM with a token of its own. */
export interface ScimClient {
  readonly token: string
  readonly get: (path: string, headers?: Readonly<Record<string, string>>) => Promise<ApiResponse>
  readonly post: (path: string, body: unknown) => Promise<ApiResponse>
  readonly put: (path: string, body: unknown, headers?: Readonly<Record<string, string>>) => Promise<ApiResponse>
  readonly patch: (path: string, ...operations: readonly object[]) => Promise<ApiResponse>
  readonly remove: (path: string, headers?: Readonly<Record<string, string>>) => Promise<ApiResponse>
  /** Looks for users by a filter, and returns their ids. */
  readonly find: (filter: string, type?: string) => Promise<readonly string[]>
}

export const USER = 'urn:ietf:params:scim:schemas:core:2.0:User'
export const GROUP = 'urn:ietf:params:scim:schemas:core:2.0:Group'
export const PATCH_OP = 'urn:ietf:params:scim:api:messages:2.0:PatchOp'
export const ERROR = 'urn:ietf:params:scim:api:messages:2.0:Error'

/** Creates a SCIM token, and a client that uses it. */
export async function connectScim(server: TestServer, name = 'okta'): Promise<ScimClient> {
  const { body } = await call(server, 'createScimToken', { body: { name } })
  return scimClient(server, body.secret)
}

/** Creates a client with a token. */
export function scimClient(server: TestServer, token: string): ScimClient {
  const ask = (method: string, path: string, body?: unknown, headers: Readonly<Record<string, string>> = {}) => {
    return send(server, {
      method,
      path: `/scim/v2${path}`,
      headers: {
        authorization: `Bearer ${token}`,
        ...(body === undefined ? {} : { 'content-type': 'application/scim+json' }),
        ...headers
      },
      ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) })
    })
  }
  return {
    token,
    get: (path, headers) => ask('GET', path, undefined, headers),
    post: (path, body) => ask('POST', path, body),
    put: (path, body, headers) => ask('PUT', path, body, headers),
    patch: (path, ...operations) => ask('PATCH', path, { schemas: [PATCH_OP], Operations: operations }),
    remove: (path, headers) => ask('DELETE', path, undefined, headers),
    find: async (filter, type = 'Users') => {
      const { body } = await ask('GET', `/${type}?filter=${encodeURIComponent(filter)}`)
      return body.Resources.map(({ id }: { id: string }) => id)
    }
  }
}

let count = 0

/** A user resource with a name of its own, as Okta sends it. */
export function newUser(members: Readonly<Record<string, unknown>> = {}) {
  const userName = `person-${++count}@example.com`
  return {
    schemas: [USER],
    userName,
    externalId: `00u${count}`,
    name: { givenName: 'Ada', familyName: 'Lovelace' },
    emails: [{ primary: true, value: userName, type: 'work' }],
    displayName: 'Ada Lovelace',
    locale: 'en-US',
    groups: [],
    password: 'ignored by the server',
    active: true,
    ...members
  }
}
