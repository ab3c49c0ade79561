/** A sign-in failed or is missing. The message has the reason and the remedy. */
export class SignInError extends Error {
  override readonly name = 'SignInError'
}
