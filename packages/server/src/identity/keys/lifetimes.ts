import { MAX_WORKLOAD_TOKEN_LIFETIME } from '@burgee/contract/schemas'
import { DAY, HOUR, MINUTE, SECOND } from '../../lib/time.ts'

/** Lifetimes in seconds. */
export const lifetimes = {
  /** The access token of a client that acts for itself. */
  ClientCredentials: inSeconds(DAY),
  /** The access token of a person. */
  AccessToken: inSeconds(8 * HOUR),
  IdToken: inSeconds(HOUR),
  AuthorizationCode: inSeconds(MINUTE),
  /** A device code and its user code. */
  DeviceCode: inSeconds(10 * MINUTE),
  /** From one refresh to the next. */
  RefreshToken: inSeconds(30 * DAY),
  /** From one login to the next, with refreshes. */
  Grant: inSeconds(90 * DAY),
  /** The login session of a browser. */
  Session: inSeconds(12 * HOUR),
  /** A pending login, and then a pending consent: anyone can start one, so it is short. */
  Interaction: inSeconds(15 * MINUTE)
}

/** A management API token that was exchanged for a tool server token: long enough for one tool call. */
export const EXCHANGED_TOKEN_LIFETIME = inSeconds(5 * MINUTE)

/** The maximum lifetime of the access token of a CI job. */
export const WORKLOAD_TOKEN_LIFETIME = MAX_WORKLOAD_TOKEN_LIFETIME

/** The longest lifetime of any signed token. */
export const MAX_TOKEN_LIFETIME = Math.max(lifetimes.ClientCredentials, lifetimes.AccessToken, lifetimes.IdToken)

/** How long after the end of a grant or key a request in progress can still issue a token, in seconds. */
export const ISSUE_DELAY = 300

/** The clock skew allowed between servers that share signing keys, in milliseconds. */
export const CLOCK_TOLERANCE_MS = 5_000

function inSeconds(milliseconds: number): number {
  return milliseconds / SECOND
}
