/** A change was not confirmed, so nothing was changed. */
export class NotConfirmedError extends Error {
  override readonly name = 'NotConfirmedError'
}

/** A list of the server does not have the item that the user named. */
export class NotFoundError extends Error {
  override readonly name = 'NotFoundError'
}

/** The response is not one of a Burgee server of this version. */
export class ResponseError extends Error {
  override readonly name = 'ResponseError'
}

/** Something has changed meanwhile or is in the way, so nothing was changed. */
export class ConflictError extends Error {
  override readonly name = 'ConflictError'
}
