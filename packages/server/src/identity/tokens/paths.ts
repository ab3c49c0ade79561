/** The paths of the authorization server. */
export const paths = {
  authorize: '/oauth/authorize',
  /** The authorization endpoint of published command-line tools. */
  authorizeAlias: '/authorize',
  token: '/oauth/token',
  jwks: '/oauth/jwks',
  revoke: '/oauth/revoke',
  userinfo: '/oauth/userinfo',
  register: '/oauth/register',
  /** The login pages; each pending login has a path below it. */
  signIn: '/oauth/interactions',
  /** Ends the login session. */
  signOut: '/oauth/sign-out'
} as const

/** The paths of the discovery documents (OpenID Connect Discovery, RFC 8414). */
export const discoveryPaths = ['/.well-known/openid-configuration', '/.well-known/oauth-authorization-server'] as const
