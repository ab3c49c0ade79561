import { type Operation, operations } from '@burgee/contract'
import { isPublicKeyType } from '@burgee/contract/access'
import Router from '@koa/router'
import type { Context, Middleware, Next } from 'koa'
import type { z } from 'zod'
import type { TokenCaller } from '../../access/permissions/caller.ts'
import type { KeyConfigs } from '../../delivery/configs/configs.ts'
import type { KeyConfig } from '../../delivery/configs/keyConfig.ts'
import type { AccessTokenVerifier } from '../../identity/tokens/accessTokenVerifier.ts'
import type { StreamTokens } from '../../identity/tokens/streamTokens.ts'
import { methodNotAllowed, notFound } from '../../lib/errors.ts'
import type { RateLimit } from '../../lib/limits/rateLimiter.ts'
import { networkOf } from '../../lib/network.ts'
import { takeTurn } from '../../lib/time.ts'
import { ONLY_PROJECT } from '../handlers/features/manifest.ts'
import type { Handlers, RequestConnection } from '../handlers/shared/handler.ts'
import { type SignatureResult, verifyUsers } from '../handlers/shared/verifyUsers.ts'
import {
  authenticateAccessToken,
  authenticateSdkKey,
  authenticateStreamToken,
  requestOriginOf
} from './request/authenticate.ts'
import { findHandOver } from './request/handOver.ts'
import { currentNames, type NameMapping } from './request/legacyNames.ts'
import { limitCallers } from './request/limitCallers.ts'
import { assertNotMisspelled, parseRequestPart } from './request/parseRequestPart.ts'
import type { ReadBarrier } from './request/readBarrier.ts'
import { hasBody, readBody, readRawBody } from './request/readBody.ts'
import { refuseDryRun } from './request/refuseDryRun.ts'
import { assertDecodableUrl, redactPath, toQueryMembers } from './request/requestUrl.ts'
import { closedOf, isAbandoned } from './response/closedOf.ts'
import { sendResult } from './response/sendResult.ts'
import { surfaceOf } from './surface.ts'

interface Dependencies {
  /** Operations without a handler have no route. */
  readonly handlers: Partial<Handlers>
  readonly configs: KeyConfigs
  readonly tokens: Pick<AccessTokenVerifier, 'verify'>
  readonly streamTokens: StreamTokens
  readonly now: () => number
  readonly limits: {
    /** By holder of access tokens, for operations of the management API. */
    readonly management: RateLimit
    /** By SDK key, for operations with the rate limit `requests`; undefined if there is no limit. */
    readonly requests: RateLimit | undefined
    /**
     * By network, for operations with the rate limit `bytes`: the bytes sent with client and mobile keys, which are
     * public.
     */
    readonly bytes: RateLimit
    /** By network, for operations with the rate limit `userData`, like `bytes`. */
    readonly userData: RateLimit
  }
  /** The names of properties in the management API. */
  readonly names: NameMapping
  /** Receives each accepted use of an SDK key. */
  readonly onKeyUse: (environment: string, keyDigest: string) => void
  /** Receives the outcome for each user whose signature was checked. */
  readonly onUserSignature: (result: SignatureResult) => void
  readonly barrier: Pick<ReadBarrier, 'wait'>
}

/** Creates a route for each operation that has a handler: authenticate, parse, handle, respond. */
export function routes({
  handlers,
  configs,
  tokens,
  streamTokens,
  now,
  limits,
  names: managementNames,
  onKeyUse,
  onUserSignature,
  barrier
}: Dependencies): Middleware[] {
  const callers = limitCallers(tokens, limits.management)
  const identify = async (ctx: Context, { credential }: Operation): Promise<KeyConfig | TokenCaller> => {
    if (credential.type === 'token') return authenticateAccessToken(ctx, credential, callers)
    if (ctx.state.dashboardIdentity)
      throw notFound('applications call this operation with an SDK key, without a session')
    const caller =
      credential.inToken && 'token' in ctx.query
        ? await authenticateStreamToken(ctx, credential, streamTokens, { configs, now })
        : authenticateSdkKey(ctx, credential, { configs, now })
    onKeyUse(caller.environment._id, caller.keyDigest)
    return caller
  }
  const namesOf = ({ credential }: Operation) => (credential.type === 'token' ? managementNames : currentNames)
  // Paths are case-sensitive: error bodies depend on the path.
  const router = new Router({ sensitive: true })
  for (const record of Object.values<Operation>(operations)) {
    const handle = findHandler(handlers, record)
    if (!handle) continue
    const paths = [record.path, ...(record.aliases ?? [])].map((path) => path.replace(/\{(\w+)\}/g, ':$1'))
    router.register(paths, [record.method], async (ctx: Context) => {
      ctx.state.operation = record.id
      ctx.state.surface = surfaceOf(record)
      if (record.accessLog) {
        ctx.state.access = { kind: record.accessLog }
        ctx.state.accessTarget = targetOf(ctx, record)
      }
      const identity = await identify(ctx, record)
      const begun = findHandOver(ctx.req)
      if (begun?.failure) throw begun.failure
      if (record.rateLimit === 'requests' && 'sdkKey' in identity && !begun?.isCounted)
        await limits.requests?.(identity.sdkKey)
      assertDecodableUrl(ctx)
      const names = namesOf(record)
      const input = await parseInput(ctx, record, { identity, names, limits })
      const hasWaited = 'sdkKey' in identity && ((await barrier.wait(ctx, record, identity)) || record.readsBody)
      // The key may have been invalidated, or the config may have changed, while the body or a change arrived.
      const current = hasWaited ? await identify(ctx, record) : identity
      const caller = 'sdkKey' in current ? await verifyUsers(record, input, current, onUserSignature) : current
      const connection: RequestConnection = {
        isGone: () => isAbandoned(ctx.res),
        closed: () => closedOf(ctx.res),
        network: networkOf(ctx.ip),
        from: requestOriginOf(ctx),
        isConditional: ctx.headers['if-none-match'] !== undefined,
        reauthenticate: () => reauthenticate(ctx, record, tokens)
      }
      await takeManagementTurn(record)
      const result = await handle(input, caller, connection)
      await takeManagementTurn(record)
      if (record.accessLog === 'secretShown' && !showsSecret(result)) delete ctx.state.access
      await sendResult(ctx, record, { result, caller }, names)
    })
  }
  return [manifestOfOnlyProject, router.routes() as Middleware, methodNotAllowedHandler]
}

/** The specification of the manifest has no project in its paths: the token determines it. */
function manifestOfOnlyProject(ctx: Context, next: Next): Promise<void> {
  if (/^\/openfeature\/v0\/manifest(\/|$)/.test(ctx.path)) ctx.path = `/v1/projects/${ONLY_PROJECT}${ctx.path}`
  return next()
}

/**
 * Yields to the event loop between the parts of a management request (parsing, validation, work, response), and between
 * requests that arrive together: all of them in one turn would delay evaluations.
 */
async function takeManagementTurn({ credential }: Operation): Promise<void> {
  if (credential.type === 'token') await takeTurn()
}

/**
 * Verifies the access token of a request again, or the session of the dashboard. It does not count as a request of its
 * holder.
 */
async function reauthenticate(
  ctx: Context,
  { id, credential }: Operation,
  tokens: Pick<AccessTokenVerifier, 'verify'>
): Promise<TokenCaller> {
  if (credential.type !== 'token') throw new Error(`${id} takes no access token`)
  const { readDashboardIdentity } = ctx.state
  if (readDashboardIdentity) ctx.state.dashboardIdentity = await readDashboardIdentity()
  return authenticateAccessToken(ctx, credential, { verify: tokens.verify, count: async () => undefined })
}

/** The path parameters that the access log shows; others can be secrets. */
function targetOf({ params }: Context, { path }: Operation): Readonly<Record<string, string>> {
  const names = ['project', 'environment', 'feature', 'client', 'user', 'trust', 'entry', 'key', 'id'].filter(
    (name) => {
      // The last part is the SDK key itself.
      return name in params && !(name === 'key' && path.includes('/sdk-keys/'))
    }
  )
  return Object.fromEntries(names.map((name) => [name, String(params[name]).slice(0, MAX_TARGET_LENGTH)]))
}

const MAX_TARGET_LENGTH = 200

/** Whether a result, or an item of a list, has a member with secrets; it has none if the caller may not see them. */
function showsSecret(result: unknown): boolean {
  if (typeof result !== 'object' || result === null) return false
  if ('items' in result && Array.isArray(result.items)) return result.items.some(showsSecret)
  if (Array.isArray(result)) return result.some(showsSecret)
  if ('revision' in result && 'body' in result) return showsSecret(result.body)
  return SECRET_MEMBERS.some((name) => name in result)
}

/**
 * The members of responses that contain secrets. A test compares them with the operations whose responses are recorded.
 */
export const SECRET_MEMBERS = ['sdkKeys', 'clientSecret', 'password', 'secret', 'recoveryCodes'] as const

type AnyHandler = (input: unknown, caller: KeyConfig | TokenCaller, connection: RequestConnection) => unknown

function findHandler(handlers: Partial<Handlers>, record: Operation): AnyHandler | undefined {
  // The types of a handler come from the same record that parsed the input and authenticated the caller.
  return handlers[record.id as keyof Handlers] as AnyHandler | undefined
}

interface Parsing {
  readonly identity: KeyConfig | TokenCaller
  readonly names: NameMapping
  readonly limits: Dependencies['limits']
}

/** Parses the parts of a request with the schemas of its record. @throws {HttpError} */
async function parseInput(ctx: Context, record: Operation, parsing: Parsing) {
  const { names } = parsing
  refuseDryRun(record, Object.keys(ctx.query))
  return {
    ...(record.params ? { params: parseRequestPart(record.params, ctx.params, 'path') } : {}),
    ...(record.query ? { query: parseQuery(record, record.query, names.fromRequest(toQueryMembers(ctx.query))) } : {}),
    ...(record.headers ? { headers: parseRequestPart(record.headers, ctx.headers, 'headers') } : {}),
    ...(record.body ? await parseBody(ctx, record, record.body, parsing) : {})
  }
}

async function parseBody(
  ctx: Context,
  record: Operation,
  schema: z.ZodType,
  { identity, names, limits }: Parsing
): Promise<{ readonly body: unknown }> {
  const isPublic = 'keyType' in identity && isPublicKeyType(identity.keyType)
  const limit = isPublic && (record.rateLimit === 'bytes' || record.rateLimit === 'userData') && record.rateLimit
  const count = async (bytes: number) => (limit ? limits[limit](ctx.ip, bytes) : undefined)
  // The path contains the id of the user, which is stored too. Small records take more space than their body.
  if (limit === 'userData') await count(ctx.url.length + RECORD_BYTES)
  if (record.rawBody) return readRawBody(ctx.req, { ...record.rawBody, count })
  if (!hasBody(ctx.req) && schema.safeParse(undefined).success) return { body: undefined }
  const isManagement = record.credential.type === 'token'
  const body = await readBody(ctx.req, { count, acceptsRepeatedMembers: !isManagement, isManagement })
  await takeManagementTurn(record)
  return { body: parseRequestPart(schema, names.fromRequest(body), 'body') }
}

/** The approximate size of a stored record in addition to its content. */
const RECORD_BYTES = 256

/**
 * Parses a query. SDKs send parameters of their own, which may resemble those of an operation.
 * @throws {HttpError} 400
 */
function parseQuery({ credential }: Operation, schema: z.ZodType, query: unknown) {
  if (credential.type === 'token') assertNotMisspelled(schema, Object.keys(Object(query)))
  return parseRequestPart(schema, query, 'query')
}

/** Rejects methods that no route supports at a path that exists. @throws {HttpError} 405 */
function methodNotAllowedHandler(ctx: Context, next: Next): Promise<void> {
  const routes: readonly { readonly methods: readonly string[] }[] = ctx.matched ?? []
  const methods = [...new Set(routes.flatMap((route) => route.methods))]
  if (methods.length === 0) return next()
  throw methodNotAllowed(redactPath(ctx), methods, ctx.method)
}
