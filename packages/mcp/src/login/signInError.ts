/** Nobody is signed in, or somebody could not be; the message says why, and what would help. */
export class SignInError extends Error {
  override readonly name = 'SignInError'
}
