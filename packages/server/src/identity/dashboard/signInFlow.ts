import type { Context } from 'koa'
import type { Provider } from 'oidc-provider'
import { z } from 'zod'
import type { EditRunner } from '../../access/audit/edit.ts'
import { badRequest } from '../../lib/errors.ts'
import type { IdGenerator } from '../../lib/idGenerator.ts'
import { MINUTE, SECOND } from '../../lib/time.ts'
import { DASHBOARD_CLIENT_ID } from '../../storage/resources/organization.ts'
import type { Store } from '../../storage/store.ts'
import { ensureDashboardClient } from '../clients/dashboardClient.ts'
import { DENIED } from '../login/finishInteraction.ts'
import { InteractionError } from '../login/pages/interactionError.ts'
import { paths } from '../oauth/paths.ts'
import { quoteOAuthError } from '../oauth/quoteOAuthError.ts'
import { toPublicPath } from '../oauth/toIssuer.ts'
import { readGenerations } from '../revocation/generations.ts'
import type { Cookie } from './cookies.ts'
import type { DashboardSignIn } from './dashboardSessions.ts'
import { sessionPaths, toCallbackUrl } from './sessionPaths.ts'

interface Dependencies {
  readonly provider: () => Promise<Provider>
  readonly store: Store
  readonly edit: EditRunner
  readonly ids: IdGenerator
  readonly now: () => number
  readonly publicUrl: () => string
  /** The cookie of a sign-in in progress. */
  readonly cookie: Cookie
}

/** A sign-in in progress, as its cookie contains it. */
const Transaction = z.object({
  state: z.string(),
  verifier: z.string(),
  to: z.string(),
  isPopup: z.boolean(),
  startedAt: z.number()
})

/** A completed sign-in, and where the browser goes next. */
interface Completed {
  readonly signIn: DashboardSignIn
  readonly to: string
  readonly isPopup: boolean
}

/** The sign-in of the dashboard at the authorization server of this process: a code with PKCE. */
export interface SignInFlow {
  /** Returns the address of the authorization server. @throws {HttpError} 400 */
  readonly start: (ctx: Context) => Promise<string>
  /** Redeems the code of a redirect. @throws {InteractionError} */
  readonly complete: (ctx: Context) => Promise<Completed>
}

/** Creates the sign-in. Only this process redeems codes of its client, whose secret nobody has. */
export function createSignInFlow(dependencies: Dependencies): SignInFlow {
  const { provider, store, ids, now, publicUrl, cookie } = dependencies
  const redirectUri = () => toCallbackUrl(publicUrl())

  const redeem = async (code: string, verifier: string): Promise<DashboardSignIn | undefined> => {
    const { AuthorizationCode } = await provider()
    const first = await AuthorizationCode.find(code)
    const accountId = first?.accountId
    if (accountId === undefined || first?.clientId !== DASHBOARD_CLIENT_ID) return undefined
    const generations = await readGenerations(store, { accountId, clientId: DASHBOARD_CLIENT_ID })
    // Read again: a revocation before the generations were read has ended the code.
    const issued = await AuthorizationCode.find(code)
    if (!issued) return undefined
    // A code that was used before ends its grant.
    await issued.consume()
    const isBound = issued.redirectUri === redirectUri() && issued.codeChallenge === (await challengeOf(verifier))
    if (!isBound) return undefined
    const { amr, sessionUid, grantId, authTime = Math.floor(now() / SECOND) } = issued
    return { accountId, authTime, amr, sessionUid, grantId, generations }
  }

  return {
    start: async (ctx) => {
      const [to = '/', ...others] = [ctx.query.to ?? '/'].flat()
      if (others.length > 0 || !isLocalPath(to)) {
        throw badRequest('to should be one path of this server of at most 2000 characters that begins with one slash')
      }
      const organization = await store.collection('organizations').get({})
      if (!organization) throw new Error('there is no organization to sign in to')
      await ensureDashboardClient({ ...dependencies, organization: organization.key }, redirectUri())
      const [state, verifier] = [ids.bytes(32).toString('base64url'), ids.bytes(32).toString('base64url')]
      const transaction = { state, verifier, to, isPopup: ctx.query.popup === '1', startedAt: now() }
      cookie.set(ctx, Buffer.from(JSON.stringify(transaction)).toString('base64url'))
      const query = new URLSearchParams({
        client_id: DASHBOARD_CLIENT_ID,
        response_type: 'code',
        redirect_uri: redirectUri(),
        scope: 'openid',
        state,
        code_challenge: await challengeOf(verifier),
        code_challenge_method: 'S256'
      })
      return `${toPublicPath(publicUrl(), paths.authorize)}?${query}`
    },
    complete: async (ctx) => {
      const transaction = parseTransaction(cookie.get(ctx))
      cookie.remove(ctx)
      const { code, state, error, error_description: description } = ctx.query
      const isCurrent = transaction !== undefined && transaction.startedAt + TRANSACTION_MS > now()
      if (!isCurrent || typeof state !== 'string' || state !== transaction.state || !isLocalPath(transaction.to)) {
        throw failed(publicUrl(), 'This sign-in has expired, was replaced by a later one, or began in another browser.')
      }
      const { verifier, to, isPopup } = transaction
      if (error !== undefined) throw failed(publicUrl(), describeError(String(error), description), transaction)
      const signIn = typeof code === 'string' ? await redeem(code, verifier).catch(notRedeemed) : undefined
      if (!signIn) throw failed(publicUrl(), 'This sign-in was already completed, or has ended.', transaction)
      return { signIn, to, isPopup }
    }
  }
}

/** Describes why the authorization server of this server refused the sign-in. */
function describeError(error: string, description: unknown): string {
  if (error === DENIED.error && description === DENIED.error_description) return 'The sign-in was cancelled.'
  const quoted = quoteOAuthError(error, typeof description === 'string' ? description : undefined)
  return `The sign-in failed: ${quoted}.`
}

/** How long a person may take to sign in. */
const TRANSACTION_MS = 10 * MINUTE

/** A path with a query: no other origin, which browsers also read from `//` and `/\`, and no control characters. */
function isLocalPath(text: string): boolean {
  return text.length <= 2000 && /^\/(?![/\\])[^\p{Cc}]*$/u.test(text) && new URL(text, LOCAL).origin === LOCAL
}

const LOCAL = 'http://local.invalid'

async function challengeOf(verifier: string): Promise<string> {
  const { calculatePKCECodeChallenge } = await import('openid-client')
  return calculatePKCECodeChallenge(verifier)
}

function parseTransaction(text: string | undefined): z.infer<typeof Transaction> | undefined {
  try {
    return Transaction.parse(JSON.parse(Buffer.from(text ?? '', 'base64url').toString()))
  } catch {
    return undefined
  }
}

/** `oidc-provider` rejects a code that was used. */
function notRedeemed(error: unknown): undefined {
  if (error instanceof Error && error.name === 'InvalidGrant') return undefined
  throw error
}

function failed(
  publicUrl: string,
  message: string,
  { to, isPopup }: Pick<z.infer<typeof Transaction>, 'to' | 'isPopup'> = { to: '/', isPopup: false }
): InteractionError {
  const query = new URLSearchParams({ to, ...(isPopup ? { popup: '1' } : {}) })
  const address = `${toPublicPath(publicUrl, sessionPaths.signIn)}?${query}`
  return new InteractionError({
    status: 400,
    title: 'You are not signed in',
    message,
    next: { address, label: 'Sign in again' }
  })
}
