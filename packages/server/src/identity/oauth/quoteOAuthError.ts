import { sanitizeLine } from '@burgee/kit/text'

/** The longest text of an error that a page shows. */
const MAX_LENGTH = 200

/** Quotes an error that an authorization server returned, on one line: `"The account is locked" (access_denied)`. */
export function quoteOAuthError(code: string, description: string | undefined): string {
  const [shortCode, text] = [code, description ?? ''].map((one) => sanitizeLine(one).slice(0, MAX_LENGTH))
  return text ? `“${text}” (${shortCode})` : `${shortCode}`
}
