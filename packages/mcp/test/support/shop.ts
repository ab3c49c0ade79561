import { type ApiResponse, call, serve, type TestServer } from '@burgee/testing/harness'
import type { Plan } from '@burgee/testing/plan'

const plan: Plan = {
  features: [
    { key: 'checkout', targets: [{ name: 'All Users', serves: { 'variation-off': 1 } }] },
    { key: 'search', targets: [{ name: 'All Users' }] },
    { key: 'quiet', offIn: ['production'], targets: [{ name: 'All Users' }] }
  ]
}

/** A server with project `shop`: `checkout` and `search` are on in production; variable `free` is in no feature; the administrator overrides `search` there. */
export async function openShop(given: Plan = {}): Promise<TestServer> {
  const server = await serve({ ...plan, ...given })
  const shop = { project: 'shop' }
  const inProduction = { environment: 'production', variation: 'variation-off' }
  await assertSucceeded(
    call(server, 'createEnvironment', { params: shop, body: { key: 'lab', name: 'Lab', type: 'development' } })
  )
  await assertSucceeded(call(server, 'createVariable', { params: shop, body: { key: 'free', type: 'String' } }))
  await assertSucceeded(call(server, 'updateUserProfile', { params: shop, body: { svcUserId: 'ada' } }))
  const params = { ...shop, feature: 'search' }
  await assertSucceeded(call(server, 'updateFeatureOverride', { params, body: inProduction }))
  return server
}

async function assertSucceeded(answer: Promise<ApiResponse>): Promise<void> {
  const { status, body } = await answer
  if (status >= 300) throw new Error(JSON.stringify(body))
}

/** Reads everything in the project that the nine tools can change. */
export async function stateOf(server: TestServer): Promise<unknown> {
  const params = { project: 'shop' }
  const ids = ['listFeatures', 'listVariables', 'listCurrentOverrides', 'listChangeRequests'] as const
  const answers = await Promise.all(ids.map((id) => call(server, id, { params })))
  return answers.map(({ body }) => body)
}

/** A target in the form of arguments. */
export const everybody = {
  name: 'All Users',
  audience: { filters: { operator: 'and', filters: [{ type: 'all' }] } },
  distribution: [{ _variation: 'variation-on', percentage: 1 }]
}

/** A call that needs confirmation; `deletes` is the key of the resource that it deletes. */
export interface Case {
  readonly tool: string
  readonly args: Readonly<Record<string, unknown>>
  readonly deletes?: string
}

/** One call of each of the nine tools that affect production or delete. */
export const cases: readonly Case[] = [
  {
    tool: 'create_feature',
    args: { key: 'banner', name: 'Banner', configurations: { production: { status: 'active', targets: [everybody] } } }
  },
  { tool: 'update_feature', args: { key: 'checkout', name: 'Checkout in one step' } },
  {
    tool: 'update_feature_status',
    args: { key: 'checkout', status: 'complete', staticVariation: 'variation-on' }
  },
  { tool: 'create_variable', args: { key: 'colour', type: 'String', _feature: 'checkout', defaultValue: 'red' } },
  { tool: 'update_variable', args: { key: 'checkout', description: 'Whether there is one step.' } },
  {
    tool: 'set_self_targeting_override',
    args: { feature_key: 'checkout', environment_key: 'production', variation_key: 'variation-on' }
  },
  {
    tool: 'clear_feature_self_targeting_overrides',
    args: { feature_key: 'search', environment_key: 'production' }
  },
  { tool: 'delete_feature', args: { key: 'search' }, deletes: 'search' },
  { tool: 'delete_variable', args: { key: 'free' }, deletes: 'free' }
]
