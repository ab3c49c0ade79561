import { addAccounts, authorize, exchangeCode, openBrowser } from '@burgee/testing/browser'
import { call, serve, storeWith, type TestServer, toStoreUrl } from '@burgee/testing/harness'
import { NOW } from '@burgee/testing/plan'
import { TOTP } from 'otpauth'
import { expect, it } from 'vitest'
import { openStore } from '../../src/storage/open/openStore.ts'
import { connectScim, USER } from './scimClient.ts'

const PASSWORD = 'a quiet morning on the lake'
const provider = {
  oidcIssuer: 'https://login.example.com',
  oidcClientId: 'burgee',
  oidcClientSecret: 'the-secret-at-the-provider'
}

async function serveAda(options = {}) {
  const directory = await storeWith({})
  await addAccounts(directory, {
    people: [{ email: 'ada@example.com', password: PASSWORD }, { email: 'bob@example.com' }]
  })
  const server = await serve(directory, options)
  const browser = openBrowser(server)
  const page = await browser.submit(await authorize(browser), 'login', { email: 'ada@example.com', password: PASSWORD })
  const { body } = await exchangeCode(server, await browser.submit(page, 'consent'))
  const key = body.access_token
  const { body: app } = await call(server, 'startAuthenticatorApp', { key })
  const code = new TOTP({ secret: app.secret }).generate({ timestamp: NOW })
  expect((await call(server, 'confirmAuthenticatorApp', { key, body: { code } })).status).toBe(201)
  await call(server, 'startAuthenticatorApp', { key })
  const { body: users } = await call(server, 'listUsers')
  const [ada] = users.filter(({ email }: { readonly email: string }) => email === 'ada@example.com')
  return { server, key, user: ada._id as string }
}

/** What the store has of second factors, after the server was stopped. */
async function storedFactors(server: TestServer) {
  await server.close()
  const store = await openStore(toStoreUrl(server.directory))
  const names = ['authenticatorApps', 'recoveryCodes', 'challenges'] as const
  const lists = await Promise.all(names.map(async (name) => (await store.collection(name).list()).items.length))
  await store.close()
  return Object.fromEntries(names.map((name, index) => [name, lists[index]]))
}

const NONE = { authenticatorApps: 0, recoveryCodes: 0, challenges: 0 }

it('removes the second factors of a person who is deleted, even if they are created again', async () => {
  const { server, user } = await serveAda()
  const scim = await connectScim(server)
  server.clock.now = () => NOW + 2000
  expect((await scim.remove(`/Users/${user}`)).status).toBe(204)
  const [entry] = (await call(server, 'listAuditEntries')).body
  expect(entry.changes.map(({ type }: { type: string }) => type)).toEqual(
    expect.arrayContaining(['modifiedUser', 'deletedSecondFactor', 'deletedRecoveryCodes'])
  )
  const again = await scim.post('/Users', { schemas: [USER], userName: 'ada@example.com' })
  expect([again.status, again.body.id]).toEqual([201, user])
  expect(await storedFactors(server)).toEqual(NONE)
})

it('removes them with the password when SCIM adopts an account and people sign in through a provider', async () => {
  const { server, key, user } = await serveAda(provider)
  const scim = await connectScim(server)
  server.clock.now = () => NOW + 2000
  await scim.patch(`/Users/${user}`, { op: 'add', path: 'externalId', value: 'ada' })
  expect((await call(server, 'listProjects', { key })).status).toBe(401)
  expect(await storedFactors(server)).toEqual(NONE)
})
