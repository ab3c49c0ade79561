import { OAuthHttpError } from '../../oauth/oauthError.ts'

/** The reasons to refuse a subject token, as recorded in the access log, in the order of the checks. */
export const refusalReasons = [
  'malformed_token',
  'unsupported_algorithm',
  'unsupported_header',
  'unknown_issuer',
  'unknown_key',
  'wrong_signature',
  'token_expired',
  'token_not_yet_valid',
  'token_too_old',
  'wrong_audience',
  'no_subject',
  'conditions_not_met',
  'ambiguous_trust',
  'token_reused'
] as const

/** The reason to refuse a subject token. */
export type RefusalReason = (typeof refusalReasons)[number]

/** A subject token is refused. Callers get the same text for every reason; the access log has the reason. */
export class SubjectTokenRefusal extends OAuthHttpError {
  readonly reason: RefusalReason

  constructor(reason: RefusalReason) {
    super(400, 'invalid_request', messages[reason] ?? 'the subject token is not accepted by any trust')
    this.reason = reason
  }
}

/** Messages for the reasons that only callers with a valid token can get. */
const messages: { readonly [Reason in RefusalReason]?: string } = {
  ambiguous_trust: 'several trusts accept the subject token; name one of them in the parameter trust'
}
