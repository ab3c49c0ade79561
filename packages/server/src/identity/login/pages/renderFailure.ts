import type { Context } from 'koa'
import type { errors, KoaContextWithOIDC } from 'oidc-provider'
import { HttpError } from '../../../lib/errors.ts'
import type { Logger } from '../../../lib/logger.ts'
import { StoreUnavailableError } from '../../../storage/store.ts'
import { renderErrorPage } from './errorPage.ts'
import { expiredInteraction, InteractionError, type InteractionFailure } from './interactionError.ts'
import { setSecurityHeaders } from './securityHeaders.ts'

/** Renders a failed login as a page, and logs unexpected errors. */
export function renderFailure(ctx: Context, error: unknown, log: Logger): void {
  if (error instanceof HttpError) ctx.set({ ...error.headers })
  show(ctx, toInteractionFailure(error, ctx, log))
}

function toInteractionFailure(error: unknown, ctx: Context, log: Logger): InteractionFailure {
  if (error instanceof InteractionError) return error.reason
  if (error instanceof HttpError)
    return { status: error.status, title: TITLE, message: `${capitalize(error.message)}.` }
  // The class is part of a module that is loaded on demand.
  if (error instanceof Error && error.name === 'SessionNotFound') return expiredInteraction().reason
  const { requestId } = ctx.state
  if (error instanceof StoreUnavailableError) {
    log.error({ requestId, err: error }, 'the store rejected a write')
    ctx.set('retry-after', '1')
    return { status: 503, title: TITLE, message: 'The server cannot store data at the moment. Try again later.' }
  }
  log.error({ requestId, err: error }, 'a login failed unexpectedly')
  return {
    status: 500,
    title: TITLE,
    message: 'An internal error occurred. The server log has the details under the request id below.'
  }
}

/** Renders errors of the authorization server that occur before there is a redirect URI to report them to. */
export function renderOidcError(
  ctx: KoaContextWithOIDC,
  out: errors.OIDCProviderError | { error: string; error_description?: string }
): void {
  const { error, error_description: description } = out
  const message = explanations[error] ?? 'The application sent an invalid request. Contact its operator.'
  const isExpired = /expired|session/.test(description ?? '')
  const reason = isExpired ? expiredInteraction().reason : { title: TITLE, message }
  show(ctx, { ...reason, status: ctx.status }, [error, description].filter(Boolean).join(': '))
}

const TITLE = 'Something went wrong'

const explanations: Readonly<Record<string, string>> = {
  invalid_client: 'The application that sent you here is not registered with this server. Contact its operator.',
  invalid_redirect_uri:
    'The application requested a redirect to an address that is not registered for it. You were not redirected. Contact its operator.',
  server_error: 'An internal error occurred. The server log has the details under the request id below.'
}

function show(ctx: Context, { status, ...content }: InteractionFailure, detail?: string): void {
  setSecurityHeaders(ctx)
  ctx.status = status
  ctx.type = 'html'
  ctx.body = renderErrorPage({ ...content, detail, requestId: ctx.state.requestId })
}

function capitalize(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1)
}
