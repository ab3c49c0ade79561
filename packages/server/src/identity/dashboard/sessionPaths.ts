import { withoutTrailingSlashes } from '@burgee/kit/text'

/** The paths of the browser sessions of the dashboard. */
export const sessionPaths = {
  /** All of them are below this one. */
  root: '/session/',
  signIn: '/session/sign-in',
  callback: '/session/callback',
  signOut: '/session/sign-out',
  /** One-time links; the secret follows. */
  link: '/session/link/',
  /** The script of the page that ends a sign-in in a popup. */
  popupScript: '/session/signed-in.js'
} as const

/** The prefix of the operations, for example `/session/api/v1/projects`. */
export const SESSION_API = /^\/session\/api(\/v[12]\/.*)$/

/** Returns the redirect URI of the dashboard. */
export function toCallbackUrl(publicUrl: string): string {
  return `${withoutTrailingSlashes(publicUrl)}${sessionPaths.callback}`
}
