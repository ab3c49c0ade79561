import { OAuthHttpError } from '../../tokens/oauthError.ts'

/** Why a subject token is refused: the code in the access log. The later ones passed the checks of the earlier ones. */
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

/** Why a subject token is refused. */
export type RefusalReason = (typeof refusalReasons)[number]

/** A subject token is refused. Callers get the same text for every reason; the access log has the reason. */
export class SubjectTokenRefusal extends OAuthHttpError {
  readonly reason: RefusalReason

  constructor(reason: RefusalReason) {
    super(400, 'invalid_request', messages[reason] ?? 'the subject token is not accepted by any trust')
    this.reason = reason
  }
}

/** The reasons that only a caller with a valid token meets. */
const messages: { readonly [Reason in RefusalReason]?: string } = {
  ambiguous_trust: 'several trusts accept the subject token; name one of them in the parameter trust'
}
