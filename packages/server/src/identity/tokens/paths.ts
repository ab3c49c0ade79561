/** Where the authorization server answers. */
export const paths = {
  authorize: '/oauth/authorize',
  /** Where published command lines start a sign-in. */
  authorizeAlias: '/authorize',
  token: '/oauth/token',
  jwks: '/oauth/jwks',
  revoke: '/oauth/revoke',
  userinfo: '/oauth/userinfo',
  register: '/oauth/register',
  /** Where the pages are that people see: a path for each request to sign in. */
  signIn: '/oauth/interactions',
  /** Where a session ends for another to begin. */
  signOut: '/oauth/sign-out'
} as const

/** Where clients look for a description of the server (OpenID Connect Discovery, RFC 8414). */
export const discoveryPaths = ['/.well-known/openid-configuration', '/.well-known/oauth-authorization-server'] as const
