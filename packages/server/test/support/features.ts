import type { Operations } from '@burgee/contract'
import { type ApiResponse, call, serve, type TestServer } from '@burgee/testing/harness'
import { expect } from 'vitest'

/** A server with the project `web` with its default environments, and calls of it by the parts that tests vary. */
export interface Features {
  readonly server: TestServer
  readonly call: (id: keyof Operations, params?: Record<string, string>, rest?: Rest) => Promise<ApiResponse>
  readonly create: (body: object) => Promise<ApiResponse>
  readonly get: (feature: string) => Promise<ApiResponse>
  readonly update: (feature: string, body: object) => Promise<ApiResponse>
  readonly configure: (feature: string, environment: string, body: object) => Promise<ApiResponse>
  readonly setStatus: (feature: string, status: string, staticVariation?: string) => Promise<ApiResponse>
  /** The changes of the newest entry of a feature's audit log. */
  readonly lastChanges: (feature: string) => Promise<ApiResponse['body']>
  /** The number of entries. */
  readonly entries: (feature: string) => Promise<number>
  /** Environment key → id. */
  readonly environments: Readonly<Record<string, string>>
  /** The value of a variable for a user in an environment, or the error message. */
  readonly evaluate: (variable: string, environment?: string, user?: object) => Promise<unknown>
}

interface Rest {
  readonly query?: Record<string, string | number | boolean | readonly string[]>
  readonly body?: unknown
  readonly headers?: Record<string, string>
  readonly key?: string
}

export async function serveFeatures(settings: object = {}): Promise<Features> {
  const server = await serve({})
  await call(server, 'createProject', { body: { key: 'web', name: 'Web', settings } })
  const on = (id: keyof Operations, params: Record<string, string> = {}, rest: Rest = {}) => {
    return call(server, id, { params: { project: 'web', ...params }, ...rest })
  }
  const { body: environments } = await on('listEnvironments', {}, { query: { sortOrder: 'asc' } })
  const keys = new Map<string, string>(
    environments.map(({ key, sdkKeys }: ApiResponse['body']) => [key, sdkKeys.server[0].key])
  )
  const log = (feature: string) => on('getFeatureAudit', { feature })
  return {
    server,
    call: on,
    create: (body) => on('createFeature', {}, { body }),
    get: (feature) => on('getFeature', { feature }),
    update: (feature, body) => on('updateFeature', { feature }, { body }),
    configure: (feature, environment, body) => {
      return on('updateFeatureConfiguration', { feature }, { query: { environment }, body })
    },
    setStatus: (feature, status, staticVariation) => {
      const body = staticVariation === undefined ? { status } : { status, staticVariation }
      return on('updateFeatureStatus', { feature }, { body })
    },
    lastChanges: async (feature) => (await log(feature)).body[0].changes,
    entries: async (feature) => Number((await log(feature)).headers.count),
    environments: Object.fromEntries(environments.map(({ key, _id }: ApiResponse['body']) => [key, _id])),
    evaluate: async (key, environment = 'production', user = { user_id: 'ada' }) => {
      const sdkKey = keys.get(environment) ?? ''
      const { status, body } = await call(server, 'evaluateVariable', { params: { key }, body: user, key: sdkKey })
      return status === 200 ? body.value : body.message
    }
  }
}

/** A target for all users that serves one variation, or several with their shares. */
export function serving(shares: string | Readonly<Record<string, number>>, members: object = {}): object {
  const distribution = Object.entries(typeof shares === 'string' ? { [shares]: 1 } : shares)
  return {
    audience: { filters: { operator: 'and', filters: [{ type: 'all' }] } },
    distribution: distribution.map(([_variation, percentage]) => ({ _variation, percentage })),
    ...members
  }
}

/** The configuration of a feature in one environment, in a response. */
export function configurationIn({ body }: ApiResponse, environment: string): ApiResponse['body'] {
  return body.configurations.find(({ _environment }: ApiResponse['body']) => _environment === environment)
}

/** Variation key → share, of a target. */
export function sharesOf(target: ApiResponse['body'], feature: ApiResponse): Record<string, number> {
  const keys = new Map(feature.body.variations.map(({ _id, key }: ApiResponse['body']) => [_id, key]))
  return Object.fromEntries(
    target.distribution.map(({ _variation, percentage }: ApiResponse['body']) => [keys.get(_variation), percentage])
  )
}

/** Expects an error with this status, and this text in its message or one of its messages. */
export function expectRefusal({ status, body }: ApiResponse, expected: number, message: string | RegExp): void {
  expect([status, [body.message].flat().join('\n')]).toEqual([
    expected,
    typeof message === 'string' ? expect.stringContaining(message) : expect.stringMatching(message)
  ])
}
