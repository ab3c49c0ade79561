import { createHash } from 'node:crypto'
import { hashRandomSecret } from '../../server/src/identity/secrets/secretHash.ts'
import { openStore } from '../../server/src/storage/open/openStore.ts'
import type { StoredClient, StoredOrganization, StoredUser } from '../../server/src/storage/resources/organization.ts'
import { type ApiResponse, send, type TestServer, toStoreUrl } from './harness.ts'
import { idOf, NOW } from './plan.ts'

/** A headless browser: it keeps cookies and follows redirects within the server. */
export interface Browser {
  readonly get: (path: string, headers?: Readonly<Record<string, string>>) => Promise<Page>
  /** Submits a form of a page with these fields; `to` is the last segment of its action. */
  readonly submit: (
    page: Page,
    to: string,
    fields?: Readonly<Record<string, string>>,
    headers?: Readonly<Record<string, string>>
  ) => Promise<Page>
  /** Returns the names of the cookies. */
  readonly cookies: () => readonly string[]
  /** Returns the values of the cookies. */
  readonly values: () => readonly string[]
  readonly setCookie: (line: string) => void
  /** Sends all current cookies to every path from now on. */
  readonly sendEverywhere: () => void
}

/** The last response and its path. */
export interface Page extends ApiResponse {
  readonly path: string
  /** The target of the redirect, if it is another server. */
  readonly location?: URL
}

let browserCount = 0

/** Opens a browser with a separate network address. */
export function openBrowser(server: TestServer): Browser {
  const localAddress = `127.1.${++browserCount >> 8}.${browserCount & 255}`
  const jar = new Map<string, { readonly value: string; readonly path: string }>()
  const setCookie = (line: string) => {
    const [pair = '', ...attributes] = line.split(/; ?/)
    const [name = '', value = ''] = pair.split(/=(.*)/s)
    const attribute = (wanted: string) => attributes.find((one) => one.toLowerCase().startsWith(wanted))?.split('=')[1]
    const isExpired = attribute('max-age=') === '0' || Date.parse(attribute('expires=') ?? '') === 0
    if (isExpired || value === '') jar.delete(name)
    else jar.set(name, { value, path: attribute('path=') ?? '/' })
  }
  const request = async (
    method: string,
    path: string,
    headers: Readonly<Record<string, string>>,
    body?: string
  ): Promise<Page> => {
    const bare = path.split('?')[0] ?? ''
    const cookie = [...jar]
      .filter(([, { path: scope }]) => bare === scope || bare.startsWith(scope.endsWith('/') ? scope : `${scope}/`))
      .map(([name, { value }]) => `${name}=${value}`)
      .join('; ')
    const response = await send(server, {
      method,
      path,
      headers: { accept: 'text/html,*/*', ...(cookie ? { cookie } : {}), ...headers },
      ...(body === undefined ? {} : { body }),
      localAddress
    })
    for (const line of response.headers['set-cookie'] ?? []) setCookie(line)
    const { location } = response.headers
    if (!location) return { ...response, path }
    const next = new URL(location, `${server.url}${path}`)
    if (next.origin !== server.url) return { ...response, path, location: next }
    return request('GET', `${next.pathname}${next.search}`, {})
  }
  return {
    get: (path, headers = {}) => request('GET', path, headers),
    submit: (page, to, fields = {}, headers = {}) => {
      const { action, hidden } = formOf(page, to)
      const body = new URLSearchParams({ ...hidden, ...fields }).toString()
      return request('POST', action, { 'content-type': 'application/x-www-form-urlencoded', ...headers }, body)
    },
    cookies: () => [...jar.keys()],
    values: () => [...jar.values()].map(({ value }) => value),
    setCookie,
    sendEverywhere: () => {
      for (const [name, { value }] of jar) jar.set(name, { value, path: '/' })
    }
  }
}

/** Returns a form of a page: its action and its hidden fields. */
export function formOf({ body }: Pick<ApiResponse, 'body'>, to: string) {
  const forms = String(body).matchAll(/<form method="post" action="([^"]*)">(.*?)<\/form>/gs)
  for (const [, action = '', inside = ''] of forms) {
    if (!action.endsWith(`/${to}`)) continue
    const inputs = [...inside.matchAll(/<input [^>]*name="([^"]*)"[^>]*value="([^"]*)"/g)]
    return { action, hidden: Object.fromEntries(inputs.map(([, name, value = '']) => [name, textOf(value)])) }
  }
  throw new Error(`the page has no form that goes to ${to}: ${String(body).slice(0, 2000)}`)
}

/** Returns the visible text of markup. */
export function textOf(markup: string): string {
  return markup.replace(/<[^>]*>/g, '').replace(/&#(\d+);/g, (_, code) => String.fromCharCode(Number(code)))
}

/** Returns the validation messages of a page. */
export function problemsOf({ body }: Pick<ApiResponse, 'body'>): string {
  const [, inside = ''] = /<div class="problem" role="alert" id="problem">(.*?)<\/div>/s.exec(String(body)) ?? []
  return textOf(inside)
}

/** The redirect URI of the test application. */
export const REDIRECT_URI = 'https://app.example.com/callback'

/** A code verifier (RFC 7636). */
export const VERIFIER = 'a-code-verifier-that-is-long-enough-for-the-specification'

/** The parameters of an authorization request with the challenge of `VERIFIER`. */
export const pkceParameters = {
  code_challenge: createHash('sha256').update(VERIFIER).digest('base64url'),
  code_challenge_method: 'S256'
}

/** Starts a login for an application. Consent is always requested by default; empty parameters are omitted. */
export function authorize(browser: Browser, parameters: Readonly<Record<string, string>> = {}): Promise<Page> {
  const all = {
    client_id: 'app',
    prompt: 'consent',
    response_type: 'code',
    redirect_uri: REDIRECT_URI,
    scope: 'openid profile email',
    state: 'the-state',
    ...pkceParameters,
    ...parameters
  }
  const query = new URLSearchParams(Object.entries(all).filter(([, value]) => value !== ''))
  return browser.get(`/oauth/authorize?${query}`)
}

/** Exchanges the authorization code of a redirect for tokens; `parameters` are added to the request. */
export function exchangeCode(
  server: TestServer,
  { location }: Page,
  clientId = 'app',
  parameters: Readonly<Record<string, string>> = {}
): Promise<ApiResponse> {
  return send(server, {
    method: 'POST',
    path: '/oauth/token',
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    body: new URLSearchParams({
      grant_type: 'authorization_code',
      client_id: clientId,
      code: location?.searchParams.get('code') ?? '',
      redirect_uri: REDIRECT_URI,
      code_verifier: VERIFIER,
      ...parameters
    }).toString()
  })
}

/** The fixture of a person. The password has a fast hash: the server verifies every form that it knows. */
export type PersonPlan = Partial<StoredUser> & Pick<StoredUser, 'email'> & { readonly password?: string }

/** Writes people, clients and settings into the closed store in a directory. There is always a public client `app`. */
export async function addAccounts(
  directory: string,
  given: {
    readonly people?: readonly PersonPlan[]
    readonly clients?: readonly Partial<StoredClient>[]
    readonly permissions?: Partial<StoredOrganization['settings']['permissions']>
  }
): Promise<void> {
  const store = await openStore(toStoreUrl(directory))
  const at = new Date(NOW).toISOString()
  const recordFields = (name: string) => ({ _id: idOf(name), createdAt: at, updatedAt: at })
  await store.transaction(async (transaction) => {
    await transaction.collection('organizations').insert({
      ...recordFields('the organization'),
      key: 'org_test',
      name: 'burgee',
      displayName: 'Burgee',
      settings: { permissions: { mode: 'flat', controlledBy: 'burgee', groups: [], ...given.permissions } }
    })
    for (const { password, ...person } of given.people ?? []) {
      await transaction.collection('users').insert({
        ...recordFields(person.email),
        userId: `burgee|${idOf(person.email)}`,
        name: person.email.split('@')[0] ?? '',
        roles: [],
        isDisabled: false,
        mustChangePassword: false,
        _organization: 'org_test',
        ...(password === undefined ? {} : { passwordVerifier: hashRandomSecret(password) }),
        ...person
      })
    }
    for (const client of [{}, ...(given.clients ?? [])]) {
      const { clientId = 'app' } = client
      await transaction.collection('clients').insert({
        ...recordFields(clientId),
        clientId,
        name: 'The App',
        redirectUris: [REDIRECT_URI],
        isAssistant: false,
        isDynamic: false,
        _organization: 'org_test',
        ...client
      })
    }
  })
  await store.close()
}
