// Creates a project through the management API, rolls out a feature in steps, and evaluates it after each.
import assert from 'node:assert/strict'
import { ApiError, createClient, paginate } from '@burgee/contract/client'
import { parseOptions, startServer } from '@burgee/server'

const server = await startServer(parseOptions(['--store', 'memory:', '--port', '0', '--log-level', 'error'], {}))

try {
  // The first start of a server creates an administrator. The client requests and renews its tokens.
  const manage = createClient({ baseUrl: server.url, credentials: server.administrator })

  await manage.createProject({ body: { key: 'shop', name: 'Shop' } })
  const project = 'shop'
  const created = await manage.createFeature({
    params: { project },
    body: {
      key: 'new-checkout',
      name: 'New checkout',
      variables: [{ key: 'checkout-steps', type: 'Number' }],
      variations: [
        { key: 'long', name: 'Five steps', variables: { 'checkout-steps': 5 } },
        { key: 'short', name: 'Three steps', variables: { 'checkout-steps': 3 } }
      ]
    }
  })
  assert.equal(created.status, 'active')
  assert.equal(created.configurations.length, 3)

  // A new project has the environments development, staging and production, each with its SDK keys.
  const { sdkKeys } = await manage.getEnvironment({ params: { project, key: 'production' } })
  const burgee = createClient({ baseUrl: server.url, credentials: { sdkKey: sdkKeys.server[0].key } })
  const users = Array.from({ length: 500 }, (_, index) => `user-${index}`)
  const usersWithThreeSteps = async () => {
    const results = await Promise.all(users.map((user_id) => burgee.evaluateVariables({ body: { user_id } })))
    return users.filter((_, index) => results[index]['checkout-steps']?.value === 3)
  }
  assert.deepEqual(await usersWithThreeSteps(), [])

  // The target keeps its id, so that users who have three steps keep them.
  let before = []
  let target
  for (const percentage of [0.1, 0.5, 1]) {
    const { targets } = await manage.updateFeatureConfiguration({
      params: { project, feature: 'new-checkout' },
      query: { environment: 'production' },
      body: {
        status: 'active',
        targets: [
          {
            ...(target ? { _id: target } : {}),
            name: 'All users',
            audience: { filters: { operator: 'and', filters: [{ type: 'all' }] } },
            distribution: [
              { _variation: 'short', percentage },
              ...(percentage < 1 ? [{ _variation: 'long', percentage: 1 - percentage }] : [])
            ]
          }
        ]
      }
    })
    target = targets[0]._id
    const now = await usersWithThreeSteps()
    console.log(`${percentage * 100} %: ${now.length} of ${users.length} users have three steps`)
    assert.ok(Math.abs(now.length / users.length - percentage) < 0.06)
    assert.ok(before.every((user) => now.includes(user)))
    before = now
  }

  // The kill switch turns a feature off in all environments.
  await manage.killFeature({ params: { project, feature: 'new-checkout' } })
  assert.deepEqual(await usersWithThreeSteps(), [])

  // `paginate` reads a list page by page.
  const keys = []
  for await (const feature of paginate(manage.listFeatures, { params: { project } })) keys.push(feature.key)
  assert.deepEqual(keys, ['new-checkout'])

  // An ApiError has the status and the body of the response.
  const refused = await manage.createProject({ body: { key: 'Not a key', name: 'Shop' } }).catch((error) => error)
  assert.ok(refused instanceof ApiError)
  assert.equal(refused.status, 400)
  console.log(refused.body.message[0])
  const duplicate = await manage.createProject({ body: { key: 'shop', name: 'Shop' } }).catch((error) => error)
  assert.equal(duplicate.errorType, 'ERR_DUPE_PROJECT_KEY')
} finally {
  await server.close()
}

console.log('examples/management: as expected')
