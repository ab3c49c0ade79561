import type { Context } from 'koa'
import { HttpError } from '../../../lib/errors.ts'
import { FORM_CONTENT_TYPE, type RequestParameters, readRequestParameters } from '../../oauth/readRequestParameters.ts'
import { crossSiteForm } from './interactionError.ts'

/** Reads the fields of a form. @throws {HttpError} 415 */
export async function readForm(ctx: Context): Promise<RequestParameters> {
  if (!ctx.is(FORM_CONTENT_TYPE)) throw new HttpError(415, `content-type should be ${FORM_CONTENT_TYPE}`)
  return readRequestParameters(ctx.req)
}

/** Rejects forms from other origins. Browsers that send no `Origin` are covered by the form token. */
export function assertSameOrigin(ctx: Context, publicUrl: string): void {
  const [site, origin] = [ctx.get('sec-fetch-site'), ctx.get('origin')]
  if (site !== '' && site !== 'same-origin') throw crossSiteForm()
  // Pages with `Referrer-Policy: no-referrer` send forms with the origin `null`.
  if (origin !== '' && origin !== 'null' && origin !== new URL(publicUrl).origin) throw crossSiteForm()
}
