/** A change was not confirmed, so nothing was changed. */
export class NotConfirmedError extends Error {
  override readonly name = 'NotConfirmedError'
}

/** The response is not one of a Burgee server of this version. */
export class ResponseError extends Error {
  override readonly name = 'ResponseError'
}
