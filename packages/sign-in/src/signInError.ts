/** A sign-in failed or is missing. The message has the reason and the remedy. */
export class SignInError extends Error {
  override readonly name: string = 'SignInError'
}

/** The server does not respond as the specifications of sign-ins say. */
export class InvalidResponseError extends SignInError {
  override readonly name = 'InvalidResponseError'
}
