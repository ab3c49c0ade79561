import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { personToken } from '@burgee/testing/personToken'
import { keyOf } from '@burgee/testing/plan'
import { openShop, type Shop } from '../support/shop.ts'

/** A server on which the examples of the records work: it has what they name. */
export interface World extends Pick<Shop, 'server' | 'ask'> {
  readonly folder: string
  /** The environment variables of a command, which acts as the administrator. */
  readonly environment: Readonly<Record<string, string>>
  /** The token of a person, for commands about oneself. */
  readonly person: string
  /** The ids that examples cannot know, by the name of their parameter. */
  readonly ids: Readonly<Record<string, string>>
}

export async function makeWorld(): Promise<World> {
  const { server, ask, environment } = await openShop({
    settings: { edgeDB: { enabled: true } },
    environments: { production: {}, development: {}, staging: {} }
  })
  const filters = { operator: 'and', filters: [{ type: 'user', subType: 'country', comparator: '=', values: ['CA'] }] }
  await ask('createProject', { body: { key: 'demo', name: 'Demo shop' } })
  const metric = {
    key: 'purchases',
    name: 'Purchases',
    event: 'purchase',
    dimension: 'COUNT_PER_UNIQUE_USER',
    optimize: 'increase'
  }
  await ask('createMetric', { body: metric })
  const features = [
    'new-checkout',
    'checkout-button',
    'gift-wrapping',
    'search',
    'winter-banner',
    'short-lived',
    'waiting'
  ]
  const distribution = [{ _variation: 'variation-on', percentage: 1 }]
  const configurations = { production: { status: 'inactive', targets: [{ audience: { filters }, distribution }] } }
  for (const key of features) await ask('createFeature', { body: { key, name: key, configurations } })
  const password = 'made-up-and-shown-once'
  const owner = {
    email: 'alan@example.com',
    name: 'Alan',
    password,
    roles: [{ role: 'organization_owner' }, { role: 'project_admin' }]
  }
  const person = await ask('createUser', { body: owner })
  const webhook = await ask('createWebhook', {
    body: { name: 'Log', url: 'https://example.com/hooks/log', events: ['createdFeature'] }
  })
  const secret = await ask('createUserSigningSecret', { params: { environment: 'production' } })
  const entries = await ask('listAuditEntries')
  const folder = environment.BURGEE_CONFIG_DIR
  const texts = {
    password: 'correct horse battery',
    'new-password': 'correct horse battery staple',
    'current-password': 'made-up-and-shown-once',
    'access-token': 'a token'
  }
  for (const [name, text] of Object.entries(texts)) await writeFile(join(folder, `${name}.txt`), `${text}\n`)
  return {
    server,
    folder,
    environment,
    person: await personToken(server, person.user_id),
    ask,
    ids: {
      webhook: webhook._id,
      signingSecret: secret._id,
      entry: entries[0]._id,
      sdkKey: keyOf('server')
    }
  }
}
