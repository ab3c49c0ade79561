import { isMaskedUrl } from '@burgee/kit/text'
import { badRequest } from '../lib/errors.ts'

/** Returns why the server would never call a URL, if it can tell without a request. */
export type ValidateOutboundUrl = (url: string) => string | undefined

/**
 * Asserts that the server can call the URL in a member of a request.
 * @throws {HttpError} 400 if the URL is masked, or if `validate` refuses it.
 */
export function assertCallableUrl(member: string, url: string, validate: ValidateOutboundUrl): void {
  if (isMaskedUrl(url)) {
    throw badRequest([`${member} should be the complete URL, got one with masked secrets`])
  }
  const issue = validate(url)
  if (issue === undefined) return
  throw badRequest([`${member} should be an address that the server can call: ${issue}`])
}
