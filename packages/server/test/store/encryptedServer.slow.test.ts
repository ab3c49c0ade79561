import { addAccounts, authorize, exchangeCode, openBrowser } from '@burgee/testing/browser'
import {
  type ApiResponse,
  type Call,
  call,
  serve,
  storeWith,
  type TestServer,
  tokenOf,
  toStoreUrl
} from '@burgee/testing/harness'
import { NOW } from '@burgee/testing/plan'
import { storedText } from '@burgee/testing/storedData'
import { temporaryDirectory } from '@burgee/testing/temporaryDirectory'
import { TOTP } from 'otpauth'
import { expect, test, vi } from 'vitest'
import { parseEncryptionKeys } from '../../src/storage/encryption/encryptionKey.ts'
import { openStore } from '../../src/storage/open/openStore.ts'
import { type Resources, secretMembers } from '../../src/storage/resources/collections.ts'
import { StoreOpenError } from '../../src/storage/store.ts'
import { createTenant } from '../support/access/tenants.ts'
import { type ExitResult, expectRefusal, runInProcess } from '../support/processes/executable.ts'
import { openAddress, serveProvider, signInUpstream, upstreamOptions } from '../support/processes/upstreamProvider.ts'

const KEY = Buffer.alloc(32, 'k').toString('base64')
const NEXT_KEY = Buffer.alloc(32, 'n').toString('hex')
const [keyId, nextKeyId] = parseEncryptionKeys(`${KEY},${NEXT_KEY}`).map(({ id }) => id)
const options = { encryptionKey: parseEncryptionKeys(KEY) }
const PASSWORD = 'a quiet morning on the lake'

test('an encrypted store has no secret in plain text, after the use of every feature that stores one', async () => {
  const directory = await storeWith({})
  await addAccounts(directory, { people: [{ email: 'ada@example.com', password: PASSWORD }] })
  const place = await openAddress()
  const server = await serve(directory, { ...options, ...upstreamOptions(place) })
  const provider = await serveProvider(place, `${server.url}/oauth/callback`, { hasRefreshTokens: true })
  provider.letIn({ sub: 'grace', email: 'grace@example.com' })
  await signInThroughProvider(server)
  const shown = await useSecrets(server)
  const token = await tokenOf(server)
  await expectHidden(server, [...shown, token])
  await server.close()
  const written = await storedSecrets(server)
  expect([...written.keys()]).toEqual(
    expect.arrayContaining([
      'signingKeys.privateJwk',
      'environments.sdkKeys',
      'webhooks.secrets',
      'deliveries.telling',
      'observabilityEnvironments.accessToken',
      'issueTrackers.token',
      'organizations.userHashKey',
      'environments.userSigningSecrets',
      'authenticatorApps.totpSecret',
      'challenges.challengeSecret',
      'upstreamSessions.providerTokens',
      'authorizations.payload'
    ])
  )
  await expectHidden(server, [...shown, ...[...written.values()].flat()])

  const again = await serve(directory, options)
  const { status, body } = await call(again, 'evaluateVariables', { body: { user_id: 'ann' } })
  expect([status, body]).toEqual([200, {}])
  const webhooks = await call(again, 'listWebhooks', { params: { project: 'shop' } })
  const params = { project: 'shop', id: webhooks.body[0]._id }
  const { body: secret } = await call(again, 'getWebhookSecret', { params })
  expect(shown).toContain(secret.secret)
})

test('a server does not start on an encrypted store without its key, and leaves the store as it is', async () => {
  const first = await serve({}, options)
  await first.close()
  const before = await storedText(first.directory)
  for (const encryptionKey of [[], parseEncryptionKeys(NEXT_KEY)]) {
    const start = serve(first.directory, { encryptionKey })
    await expect(start).rejects.toThrow(StoreOpenError)
    await expect(start).rejects.toThrow(`is encrypted with key ${keyId}`)
  }
  expect(await storedText(first.directory)).toBe(before)
  const both = await serve(first.directory, { encryptionKey: parseEncryptionKeys(`${NEXT_KEY},${KEY}`) })
  expect((await call(both, 'listProjects')).status).toBe(200)
})

test('the commands on an encrypted store need its key', async () => {
  const store = toStoreUrl(await storeWith({}))
  const command = (words: string, key?: string): Promise<ExitResult> =>
    runInProcess([...words.split(' '), '--store', store], key === undefined ? {} : { BURGEE_ENCRYPTION_KEY: key })
  const status = async () => (await command('encryption status')).stdout
  expect(await status()).toBe('secrets are not encrypted\n')
  expectRefusal(await command('encryption rotate'), 'encryption rotate needs --encryption-key or BURGEE_ENCRYPTION_KEY')
  expectRefusal(await command('encryption remove', KEY), 'is not encrypted')

  expect(await command('encryption rotate', KEY)).toMatchObject({
    code: 0,
    stdout: expect.stringContaining(keyId ?? '')
  })
  const first = await status()
  expect(first).toMatch(new RegExp(`^secrets are encrypted with key ${keyId} \\(data key [0-9a-f]{8}\\)\\n$`))
  expectRefusal(await command('keys list'), `is encrypted with key ${keyId}; set BURGEE_ENCRYPTION_KEY to that key`)
  expectRefusal(await command('keys list', NEXT_KEY), `BURGEE_ENCRYPTION_KEY has ${nextKeyId}`)
  expect(await command('keys list', KEY)).toMatchObject({ code: 0, stderr: '' })
  expect(await command('audit verify')).toMatchObject({ code: 0, stdout: expect.stringContaining('intact') })

  expect((await command('encryption rotate', `${NEXT_KEY},${KEY}`)).code).toBe(0)
  expect(await status()).toBe(first.replace(keyId ?? '', nextKeyId ?? ''))
  expect((await command('encryption rotate --data-key', NEXT_KEY)).code).toBe(0)
  const [, before] = /data key (\w+)/.exec(first) ?? []
  expect(await status()).not.toContain(before)
  expect(await command('encryption remove', NEXT_KEY)).toMatchObject({ stdout: 'secrets are not encrypted\n' })
  expect((await command('keys list')).code).toBe(0)
})

test('an invalid key is refused with the reason, and not shown', async () => {
  const store = `file:${await temporaryDirectory()}/store`
  const result = await runInProcess(['keys', 'list', '--store', store], {
    BURGEE_ENCRYPTION_KEY: 'c29tZXRoaW5nIHNob3J0'
  })
  expectRefusal(result, 'BURGEE_ENCRYPTION_KEY cannot be the given text: it has 15 bytes, and should have 32')
  expect(result.stderr).not.toContain('c29tZXRoaW5n')
})

/** Uses every feature that stores a secret. Returns the secrets that responses contained, or requests. */
async function useSecrets(server: TestServer): Promise<readonly string[]> {
  const key = await tokenOf(server)
  const ask = async (id: Parameters<typeof call>[1], given: Call): Promise<ApiResponse['body']> => {
    const { status, body } = await call(server, id, { key, ...given })
    expect([id, status < 300, body?.message]).toEqual([id, true, undefined])
    return body
  }
  const tenant = await createTenant(server, 'otter', key)
  const params = { project: 'shop' }
  const hook = { name: 'Hook', url: 'https://user:the-password@otter.invalid/the-path', events: ['deletedFeature'] }
  const webhook = await ask('createWebhook', { params, body: hook })
  const first = await ask('getWebhookSecret', { params: { ...params, id: webhook._id } })
  const second = await ask('rotateWebhookSecret', { params: { ...params, id: webhook._id } })
  await ask('createFeature', { params, body: { key: 'doomed', name: 'Doomed' } })
  const bound = await ask('createWebhook', { params, body: { ...hook, _feature: 'doomed' } })
  const third = await ask('getWebhookSecret', { params: { ...params, id: bound._id } })
  await ask('deleteFeature', { params: { ...params, feature: 'doomed' } })
  const { sdkKeys } = await ask('generateSdkKeys', {
    params: { ...params, environment: 'production' },
    body: { server: true }
  })
  await ask('eraseUserData', { params: { ...params, user_id: 'ann' } })
  await ask('rotateSigningKey', {})
  const browser = openBrowser(server)
  const login = await authorize(browser, { scope: 'openid profile email offline_access' })
  const consent = await browser.submit(login, 'login', { email: 'ada@example.com', password: PASSWORD })
  const page = await browser.submit(consent, 'consent')
  const { body: tokens } = await exchangeCode(server, page)
  const own = { key: tokens.access_token }
  const app = await ask('startAuthenticatorApp', own)
  const code = new TOTP({ secret: app.secret }).generate({ timestamp: NOW })
  // A challenge of its own kind, since a sign-in without the new factor starts nothing else.
  const { challenge } = await ask('startPasskey', own)
  const { recoveryCodes } = await ask('confirmAuthenticatorApp', { ...own, body: { code } })
  const inProduction = { params: { ...params, environment: 'production' } }
  const { secret: signing } = await ask('createUserSigningSecret', inProduction)
  const scim = await ask('createScimToken', { body: { name: 'scim' } })
  const keys = sdkKeys.server.map(({ key }: { readonly key: string }) => key)
  return [
    ...[first, second, third].map(({ secret }) => secret),
    ...keys,
    ...browser.values(),
    tenant.sdkKey.key,
    tenant.tracker.key,
    'otter-access-token',
    'user:the-password',
    'the-path',
    page.location?.searchParams.get('code') ?? '',
    tokens.access_token,
    tokens.refresh_token,
    app.secret,
    challenge,
    ...recoveryCodes,
    signing,
    scim.secret,
    PASSWORD
  ]
}

async function signInThroughProvider(server: TestServer): Promise<void> {
  const browser = openBrowser(server)
  const [, link = ''] = /href="([^"]*\/provider)"/.exec((await authorize(browser)).body) ?? []
  const { location } = await browser.get(link)
  const page = await browser.get(await signInUpstream(location as URL))
  expect((await exchangeCode(server, await browser.submit(page, 'consent'))).status).toBe(200)
}

/** The secrets in the store by collection and member: the texts in them, and their JSON. */
async function storedSecrets({ directory }: TestServer): Promise<ReadonlyMap<string, readonly string[]>> {
  const store = await openStore(toStoreUrl(directory), { encryption: { keys: options.encryptionKey } })
  const found = new Map<string, readonly string[]>()
  // Its names are those of `Resources`.
  for (const collection of Object.keys(secretMembers) as (keyof Resources)[]) {
    const { items } = await store.collection(collection).list()
    for (const [member, treatment] of Object.entries(secretMembers[collection])) {
      const values = items.flatMap((item) =>
        Object.entries(item).flatMap(([name, value]) => (name === member ? [value] : []))
      )
      // Parts of these are public: ids, scopes.
      const parts = ['payload', 'telling'].includes(member) ? [] : values.flatMap(texts)
      // Hosts of addresses are in the audit log.
      if (treatment !== 'hash' && treatment !== 'url' && values.length > 0) {
        found.set(`${collection}.${member}`, [...parts, ...values.map((value) => JSON.stringify(value))])
      }
    }
  }
  await store.close()
  return found
}

/** The texts in a value that are long enough to be secrets, at any depth. */
function texts(value: unknown): readonly string[] {
  if (typeof value === 'string') return value.length >= 16 && Number.isNaN(Date.parse(value)) ? [value] : []
  return typeof value === 'object' && value !== null
    ? Object.entries(value).flatMap(([name, inner]) => (name === 'kid' || name === '_id' ? [] : texts(inner)))
    : []
}

async function expectHidden({ directory }: TestServer, secrets: readonly string[]): Promise<void> {
  // A file can be replaced while it is read.
  const content = await vi.waitFor(() => storedText(directory), 20_000)
  expect(secrets.filter((secret) => secret === '' || content.includes(secret))).toEqual([])
}
