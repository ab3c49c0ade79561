const MINUTE = 60
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR

/** How long each thing is good for, in seconds. */
export const lifetimes = {
  /** The access token of a client for itself (`management.md` §2). */
  ClientCredentials: DAY,
  /** The access token of a person. */
  AccessToken: 8 * HOUR,
  IdToken: HOUR,
  AuthorizationCode: MINUTE,
  /** From one refresh to the next. */
  RefreshToken: 30 * DAY,
  /** From one sign-in to the next for those who go on refreshing. */
  Grant: 90 * DAY,
  /** How long a browser stays signed in. */
  Session: 12 * HOUR,
  /** For signing in, and then for consenting: anybody can begin, so it is short. */
  Interaction: 15 * MINUTE
}

/** The longest that a signed token lives. */
export const LONGEST_LIFETIME = Math.max(lifetimes.ClientCredentials, lifetimes.AccessToken, lifetimes.IdToken)
