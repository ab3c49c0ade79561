/** A sign-in failed or is missing; the message says why, and what to do. */
export class SignInError extends Error {
  override readonly name = 'SignInError'
}
