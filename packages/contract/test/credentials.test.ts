import { expect, test } from 'vitest'
import { type Credentials, createClient, createTokenSource } from '../src/client.ts'

const baseUrl = 'http://127.0.0.1:8080'
const tokenSource = createTokenSource({ baseUrl, credentials: { clientId: 'cli', clientSecret: 'secret' } })

test('Credentials accepts each form by itself', () => {
  const forms: Credentials[] = [
    { sdkKey: 'server-key' },
    { clientId: 'cli', clientSecret: 'secret' },
    { token: 'eyJ' },
    { tokenSource }
  ]
  for (const credentials of forms) expect(() => createClient({ baseUrl, credentials })).not.toThrow()
})

test('Credentials does not compile with missing members or mixed forms', () => {
  const mistakes: Credentials[] = [
    // @ts-expect-error there is no credential
    {},
    // @ts-expect-error the secret is missing
    { clientId: 'cli' },
    // @ts-expect-error the client id is missing
    { clientSecret: 'secret' },
    // @ts-expect-error a token needs no client
    { token: 'eyJ', clientId: 'cli', clientSecret: 'secret' },
    // @ts-expect-error a token and a source of tokens
    { token: 'eyJ', tokenSource },
    // @ts-expect-error an SDK key and a token
    { sdkKey: 'server-key', token: 'eyJ' },
    // @ts-expect-error undefined is no SDK key
    { sdkKey: undefined }
  ]
  expect(mistakes).toHaveLength(7)
})

test.each([undefined, null, 'server-key'])(
  'a client without credentials, but %j, is refused by name',
  (credentials) => {
    expect(() => createClient({ baseUrl, credentials: credentials as never })).toThrow(
      new TypeError(
        'createClient needs credentials: { sdkKey }, { clientId, clientSecret }, { token }, { tokenSource } or { headers }'
      )
    )
  }
)

test('a method names the credential that it needs', async () => {
  const manage = createClient({ baseUrl, credentials: { token: 'eyJ' } })
  await expect(manage.evaluateFeatures({ body: { user_id: 'ada' } })).rejects.toThrow(
    'evaluateFeatures needs credentials.sdkKey'
  )
  const evaluate = createClient({ baseUrl, credentials: { sdkKey: 'server-key' } })
  await expect(evaluate.listProjects()).rejects.toThrow('listProjects needs credentials.clientId')
})
