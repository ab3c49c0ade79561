/** The endpoints of the authorization server that programs call: their errors have the format of OAuth. */
const programPaths = {
  token: '/oauth/token',
  /** Starts the sign-in of a device (RFC 8628). */
  deviceAuthorization: '/oauth/device_authorization',
  revoke: '/oauth/revoke',
  userinfo: '/oauth/userinfo',
  register: '/oauth/register',
  /** Receives logout tokens of the identity provider. */
  backchannelLogout: '/oauth/backchannel-logout'
} as const

/** The pages of the authorization server, to which browsers navigate. Further pages are below each of them. */
const pagePaths = {
  authorize: '/oauth/authorize',
  /** The page on which people enter the code of a device. */
  device: '/oauth/device',
  /** The login pages; each pending login has a path below it. */
  signIn: '/oauth/interactions',
  /** The callback of an upstream provider. */
  callback: '/oauth/callback',
  /** The page on which people manage their second factors. */
  account: '/oauth/account'
} as const

/** The paths of the authorization server. */
export const paths = {
  ...programPaths,
  ...pagePaths,
  /** The authorization endpoint of published command-line tools. */
  authorizeAlias: '/authorize',
  /** The script of the passkey page. */
  passkeyScript: '/oauth/passkey.js',
  jwks: '/oauth/jwks'
} as const

/** The paths of the discovery documents (OpenID Connect Discovery, RFC 8414). */
export const discoveryPaths = ['/.well-known/openid-configuration', '/.well-known/oauth-authorization-server'] as const

/** Whether programs call the endpoint at a path. */
export function isProgramPath(path: string): boolean {
  return Object.values<string>(programPaths).includes(path)
}

/** Whether browsers navigate to a path of the authorization server. */
export function isPagePath(path: string): boolean {
  return path === paths.authorizeAlias || Object.values(pagePaths).some((page) => `${path}/`.startsWith(`${page}/`))
}
