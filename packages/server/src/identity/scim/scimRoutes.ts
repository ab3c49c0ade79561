import type { IncomingMessage } from 'node:http'
import { withoutTrailingSlashes } from '@burgee/kit/text'
import type { Context, Middleware } from 'koa'
import type { TokenCaller } from '../../access/permissions/caller.ts'
import { forbidden, HttpError, methodNotAllowed, notFound } from '../../lib/errors.ts'
import type { RateLimit } from '../../lib/limits/rateLimiter.ts'
import { normalizeAddress } from '../../lib/network.ts'
import { parseAuthorization } from '../oauth/bearerToken.ts'
import { resourceTypes, schemas, serviceProviderConfig } from './discovery.ts'
import type { ScimObject } from './protocol/attribute.ts'
import { type Projection, parseProjection, parseQuery, parseSearchBody, projectResource } from './protocol/query.ts'
import { SCIM_CONTENT_TYPE } from './protocol/scimError.ts'
import { assertVersion, isNotModified, withVersion } from './protocol/version.ts'
import { groups } from './resources/groups.ts'
import type { ScimDependencies, ScimResources } from './resources/scimResources.ts'
import { users } from './resources/users.ts'
import { findScimCaller } from './tokens/findScimCaller.ts'

/** The path of the SCIM API, below the public URL of the server. */
export const SCIM_PATH = '/scim/v2'

interface Dependencies extends Omit<ScimDependencies, 'baseUrl'> {
  readonly now: () => number
  readonly publicUrl: () => string
  readonly readBody: (request: IncomingMessage) => Promise<unknown>
  /** Counts the requests of a token. @throws {HttpError} 429 */
  readonly limit: RateLimit
  /** Resolves when the server answers requests. */
  readonly started: Promise<void>
}

/** An endpoint for a method: writes the response. */
type Endpoint = (ctx: Context, caller: TokenCaller) => Promise<void> | void

/** The endpoints at a path by method, and their name in logs. */
interface Route {
  readonly name: string
  readonly endpoints: Readonly<Record<string, Endpoint>>
}

/** Serves SCIM 2.0 (RFC 7643, RFC 7644). All requests require a SCIM token. */
export function scimRoutes({ now, publicUrl, readBody, limit, started, ...rest }: Dependencies): Middleware {
  const { store } = rest
  const baseUrl = () => `${withoutTrailingSlashes(publicUrl())}${SCIM_PATH}`
  const dependencies: ScimDependencies = { ...rest, baseUrl }
  const types = [users(dependencies), groups(dependencies)]
  return async (ctx, next) => {
    if (ctx.path !== SCIM_PATH && !ctx.path.startsWith(`${SCIM_PATH}/`)) return next()
    await started
    ctx.state.surface = 'scim'
    ctx.state.operation = 'scim'
    ctx.set('cache-control', 'no-store')
    const caller = await findScimCaller(store, parseAuthorization(ctx), now())
    const { id: idp_user, organization: _organization, actor } = caller
    ctx.state.access = { kind: 'tokenUse', idp_user, _organization, actor }
    await limit(`${_organization} ${idp_user}`)
    const route = findRoute(segmentsOf(ctx), { types, baseUrl, readBody })
    if (!route) throw notFound(`there is no SCIM endpoint at ${ctx.path.slice(0, MAX_SHOWN)}`)
    ctx.state.operation = route.name
    const endpoint = route.endpoints[ctx.method === 'HEAD' ? 'GET' : ctx.method]
    if (!endpoint) throw methodNotAllowed(ctx.path.slice(0, MAX_SHOWN), Object.keys(route.endpoints), ctx.method)
    await endpoint(ctx, { ...caller, address: normalizeAddress(ctx.ip) })
    if (ctx.body !== undefined && ctx.body !== null) ctx.type = SCIM_CONTENT_TYPE
  }
}

/** The maximum number of characters of a path in an error message. */
const MAX_SHOWN = 200

/** Returns the segments of the path below the base. @throws {HttpError} 404 */
function segmentsOf({ path }: Context): readonly string[] {
  try {
    return path
      .slice(SCIM_PATH.length + 1)
      .replace(/\/$/, '')
      .split('/')
      .map(decodeURIComponent)
  } catch {
    throw notFound('the path has an invalid percent escape')
  }
}

interface RouteContext extends Pick<Dependencies, 'readBody'> {
  readonly types: readonly ScimResources[]
  readonly baseUrl: () => string
}

function findRoute([name = '', id, ...more]: readonly string[], context: RouteContext): Route | undefined {
  if (more.length > 0) return undefined
  const resources = context.types.find(({ schema }) => schema.endpoint === `/${name}`)
  if (resources) return routeOf(resources, id, context)
  const { baseUrl } = context
  switch (name) {
    case 'ServiceProviderConfig':
      return id === undefined
        ? { name: 'scim.serviceProviderConfig', endpoints: { GET: sendConfig(baseUrl) } }
        : undefined
    case 'ResourceTypes':
      return { name: 'scim.resourceTypes', endpoints: { GET: describe(() => resourceTypes(baseUrl()), id) } }
    case 'Schemas':
      return { name: 'scim.schemas', endpoints: { GET: describe(() => schemas(baseUrl()), id) } }
    case 'Me':
      return unsupported('scim.me', '/Me: a SCIM token belongs to no person')
    case 'Bulk':
      return unsupported('scim.bulk', '/Bulk')
    case '.search':
      return unsupported('scim.search', '/.search: search /Users/.search or /Groups/.search')
    default:
      return undefined
  }
}

function routeOf(resources: ScimResources, id: string | undefined, context: RouteContext): Route {
  const { schema, get, create, replace, patch, remove } = resources
  const name = `scim.${schema.endpoint.slice(1).toLowerCase()}`
  const { readBody } = context
  const projectionOf = (ctx: Context) => parseProjection({ ...ctx.query }, schema)
  if (id === undefined) {
    return {
      name,
      endpoints: {
        GET: (ctx, caller) => sendList(ctx, resources, { ...ctx.query }, caller),
        POST: async (ctx, caller) => {
          const projection = projectionOf(ctx)
          const created = withVersion(await create(await readBody(ctx.req), caller))
          ctx.status = 201
          ctx.set('location', String(Object(created.meta).location))
          sendResource(ctx, created, projection)
        }
      }
    }
  }
  if (id === '.search') {
    const search: Endpoint = async (ctx, caller) => {
      await sendList(ctx, resources, parseSearchBody(await readBody(ctx.req)), caller)
    }
    return { name: `${name}.search`, endpoints: { POST: search } }
  }
  const change = (work: typeof replace): Endpoint => {
    return async (ctx, caller) => {
      const projection = projectionOf(ctx)
      const after = await work(id, await readBody(ctx.req), assertVersion(ctx), caller)
      sendResource(ctx, withVersion(after), projection)
    }
  }
  return {
    name: `${name}.one`,
    endpoints: {
      GET: async (ctx, caller) => {
        const projection = projectionOf(ctx)
        const resource = withVersion(await get(id, caller))
        sendResource(ctx, resource, projection)
        if (isNotModified(ctx)) ctx.status = 304
      },
      PUT: change(replace),
      PATCH: change(patch),
      DELETE: async (ctx, caller) => {
        await remove(id, assertVersion(ctx), caller)
        ctx.status = 204
      }
    }
  }
}

function sendResource(ctx: Context, resource: ScimObject, projection: Projection): void {
  ctx.set('etag', String(Object(resource.meta).version))
  ctx.body = projectResource(resource, projection)
}

async function sendList(
  ctx: Context,
  { schema, list }: ScimResources,
  parameters: ScimObject,
  caller: TokenCaller
): Promise<void> {
  const query = parseQuery(parameters, schema)
  const projection = parseProjection(parameters, schema)
  const { resources, total } = await list(query, caller)
  const items = resources.map((resource) => projectResource(withVersion(resource), projection))
  ctx.body = toListResponse(items, total, query.startIndex)
}

function toListResponse(items: readonly ScimObject[], totalResults: number, startIndex: number): ScimObject {
  return {
    schemas: ['urn:ietf:params:scim:api:messages:2.0:ListResponse'],
    totalResults,
    startIndex,
    itemsPerPage: items.length,
    Resources: items
  }
}

function sendConfig(baseUrl: () => string): Endpoint {
  return (ctx) => {
    ctx.body = serviceProviderConfig(baseUrl())
  }
}

/** Sends descriptions, or the one with this id. They cannot be filtered (RFC 7644 §4). */
function describe(listAll: () => readonly ScimObject[], id: string | undefined): Endpoint {
  return (ctx) => {
    if (ctx.query.filter !== undefined) throw forbidden('this endpoint takes no filter')
    const items = listAll()
    if (id === undefined) {
      ctx.body = toListResponse(items, items.length, 1)
      return
    }
    const found = items.find((item) => String(item.id).toLowerCase() === id.toLowerCase())
    if (!found) throw notFound(`there is no description with the id ${JSON.stringify(id.slice(0, MAX_SHOWN))}`)
    ctx.body = found
  }
}

function unsupported(name: string, what: string): Route {
  const refuse: Endpoint = () => {
    throw new HttpError(501, `this server does not support ${what}`)
  }
  return { name, endpoints: { GET: refuse, POST: refuse, PUT: refuse, PATCH: refuse, DELETE: refuse } }
}
