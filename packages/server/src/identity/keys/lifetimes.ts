import { DAY, HOUR, MINUTE, SECOND } from '../../lib/time.ts'

/** How long each thing is good for, in seconds. */
export const lifetimes = {
  /** The access token of a client for itself (`management.md` §2). */
  ClientCredentials: inSeconds(DAY),
  /** The access token of a person. */
  AccessToken: inSeconds(8 * HOUR),
  IdToken: inSeconds(HOUR),
  AuthorizationCode: inSeconds(MINUTE),
  /** From one refresh to the next. */
  RefreshToken: inSeconds(30 * DAY),
  /** From one sign-in to the next for those who go on refreshing. */
  Grant: inSeconds(90 * DAY),
  /** How long a browser stays signed in. */
  Session: inSeconds(12 * HOUR),
  /** For signing in, and then for consenting: anybody can begin, so it is short. */
  Interaction: inSeconds(15 * MINUTE)
}

/** How long a token for the management API is good for that was made of one for tools: long enough for a call of a tool. */
export const EXCHANGED_TOKEN_LIFETIME = inSeconds(5 * MINUTE)

/** The longest that a signed token lives. */
export const MAX_TOKEN_LIFETIME = Math.max(lifetimes.ClientCredentials, lifetimes.AccessToken, lifetimes.IdToken)

function inSeconds(milliseconds: number): number {
  return milliseconds / SECOND
}
