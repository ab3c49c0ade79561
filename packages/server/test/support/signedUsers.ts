import { createHmac } from 'node:crypto'
import { type Operation, type Operations, operations } from '@burgee/contract'
import {
  type ApiResponse,
  type Call,
  call,
  serve,
  storeWith,
  type TestServer,
  toStoreUrl
} from '@burgee/testing/harness'
import { attributeFilter, idOf, keyOf, NOW, type Plan } from '@burgee/testing/plan'
import { openStore } from '../../src/storage/open/openStore.ts'
import { clientUser } from './clientUser.ts'

/** The signing secret of the guide. */
export const SECRET = 'burgee_user_secret_YW4gZXhhbXBsZSBvZiBhIHNpZ25pbmcgc2VjcmV0ISE2spMA7'

/** The random UUID of an anonymous user. */
export const ANONYMOUS = '3f2b8c1e-9a4d-4e6f-8b7a-1c2d3e4f5a6b'

/** Signs a user as an application does. */
export function sign(user_id: string, secret = SECRET): string {
  return createHmac('sha256', secret).update(user_id).digest('hex')
}

/** The environments have signed users as their names say; `lenient` requires them, except of anonymous users. */
export const plan: Plan = {
  settings: { edgeDB: { enabled: true }, optIn: { enabled: true, title: 'Try it' } },
  environments: {
    production: { signedUsers: 'required' },
    lenient: { signedUsers: 'required', unsignedAnonymousUsers: true },
    accepted: { signedUsers: 'accepted' },
    off: {}
  },
  edgeUsers: { [ANONYMOUS]: { customData: { plan: 'pro' } } },
  features: [
    { key: 'all' },
    { key: 'by-id', targets: [{ filters: [attributeFilter('user_id', 'ada')] }] },
    { key: 'by-plan', targets: [{ filters: [attributeFilter('customData.plan', 'pro')] }] },
    { key: 'by-hash', targets: [{ filters: [attributeFilter('customData.userHash', sign('ada'))] }] },
    { key: 'beta', isOptIn: true, targets: [{ filters: [{ type: 'optIn' }] }] }
  ]
}

/**
 * Starts a server on the plan. All environments have the same secret. Edge data and an override in `lenient` are stored
 * about the anonymous user.
 */
export async function serveSignedUsers(): Promise<TestServer> {
  const directory = await storeWith(plan)
  const store = await openStore(toStoreUrl(directory))
  const createdAt = new Date(NOW).toISOString()
  for (const key of Object.keys(plan.environments ?? {})) {
    await store.collection('environments').update(idOf(key), {
      userSigningSecrets: [{ _id: idOf('first secret'), createdAt, secret: SECRET }]
    })
  }
  await store.collection('overrides').insert({
    _id: idOf('override'),
    createdAt,
    updatedAt: createdAt,
    _project: idOf('shop'),
    _feature: idOf('by-id'),
    _environment: idOf('lenient'),
    _variation: idOf('by-id variation-on'),
    svcUserId: ANONYMOUS,
    idp_user: 'burgee|tester'
  })
  await store.close()
  return serve(directory)
}

/** The operations that client or mobile keys can call. */
export const publicOperations = Object.values<Operation>(operations).flatMap((record) => {
  const { credential } = record
  const isPublic = credential.type === 'sdkKey' && credential.keyTypes.some((type) => type !== 'server')
  // Every record is stored under its own id.
  return isPublic ? [{ ...record, id: record.id as keyof Operations }] : []
})

/** A valid request for a user, built from the record of an operation. */
export function requestFor(record: Operation, user_id: string): Call {
  const params = record.params && 'key' in record.params.shape ? { params: { key: 'all' } } : {}
  switch (record.user) {
    case 'path':
      return { params: { user_id }, body: record.path.includes('edgedb') ? { user_id } : { [idOf('beta')]: true } }
    case 'query':
      return { query: record.path.includes('optIn') ? { user_id } : clientUser(user_id) }
    case 'context':
      return { ...params, body: { context: { targetingKey: user_id } } }
    case 'events': {
      const report = { user: { user_id }, events: [{ type: 'customEvent', customType: 'purchase' }] }
      return { body: record.path.endsWith('batch') ? { batch: [report] } : report }
    }
  }
  return {}
}

/** Evaluates one flag over OFREP. */
export function evaluate(
  server: TestServer,
  flag: string,
  context: object,
  key = keyOf('client')
): Promise<ApiResponse> {
  return call(server, 'ofrepEvaluateFlag', { params: { key: flag }, body: { context }, key })
}
