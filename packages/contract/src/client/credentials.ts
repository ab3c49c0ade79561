/** How a client identifies itself. Exactly one of the forms is allowed. */
export type Credentials =
  | SdkKeyCredentials
  | ClientCredentials
  | TokenCredentials
  | TokenSourceCredentials
  | HeaderCredentials

/** An SDK key, for evaluation, events and OFREP. */
export interface SdkKeyCredentials {
  readonly sdkKey: string
  readonly clientId?: never
  readonly clientSecret?: never
  readonly token?: never
  readonly tokenSource?: never
  readonly headers?: never
}

/** An API client's id and secret, for the management API. Access tokens are requested and renewed as needed. */
export interface ClientCredentials {
  readonly clientId: string
  readonly clientSecret: string
  readonly sdkKey?: never
  readonly token?: never
  readonly tokenSource?: never
  readonly headers?: never
}

/** An access token, for the management API. It is not renewed. */
export interface TokenCredentials {
  readonly token: string
  readonly sdkKey?: never
  readonly clientId?: never
  readonly clientSecret?: never
  readonly tokenSource?: never
  readonly headers?: never
}

/** A source of access tokens, for the management API. */
export interface TokenSourceCredentials {
  readonly tokenSource: TokenSource
  readonly sdkKey?: never
  readonly clientId?: never
  readonly clientSecret?: never
  readonly token?: never
  readonly headers?: never
}

/** Headers of all requests, in place of `Authorization`: for pages whose session is a cookie. */
export interface HeaderCredentials {
  readonly headers: Readonly<Record<string, string>>
  readonly sdkKey?: never
  readonly clientId?: never
  readonly clientSecret?: never
  readonly token?: never
  readonly tokenSource?: never
}

/** Supplies access tokens for the management API. */
export interface TokenSource {
  /**
   * Returns a valid access token.
   * @param operation The id of the operation that needs it, for error messages.
   * @throws {ApiError} if the authorization server returns an error.
   */
  readonly getToken: (operation: string) => Promise<string>
  /** Discards a token that the API rejected. Returns whether `getToken` can supply another one. */
  readonly invalidate: () => boolean
}
