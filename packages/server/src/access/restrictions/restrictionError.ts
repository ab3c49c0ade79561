import { HttpError } from '../../lib/errors.ts'

/** The restriction of a key or client that a request violates. */
export type Restriction = 'expired' | 'network' | 'origin'

/** The restricted key or client, as recorded in the access log. */
interface RestrictedCaller {
  readonly clientId?: string
  readonly idp_user?: string
  readonly target?: Readonly<Record<string, string>>
}

/** A request has a valid key or token, but violates a restriction of the key or client. */
export class RestrictionError extends HttpError {
  readonly restriction: Restriction
  readonly caller: RestrictedCaller

  constructor(status: number, restriction: Restriction, message: string, caller: RestrictedCaller) {
    super(status, message)
    this.restriction = restriction
    this.caller = caller
  }

  /** The code of the refusal in the access log. */
  get reason(): string {
    return REASONS[this.restriction]
  }
}

const REASONS = {
  expired: 'expired',
  network: 'network_not_allowed',
  origin: 'origin_not_allowed'
} as const satisfies Record<Restriction, string>
