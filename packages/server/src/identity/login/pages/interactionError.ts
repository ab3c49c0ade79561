/** Describes to a person why a login cannot continue. */
export interface InteractionFailure {
  readonly status: number
  readonly title: string
  /** What happened and what to do, in sentences. */
  readonly message: string
  /** The link to continue. */
  readonly next?: { readonly address: string; readonly label: string } | undefined
}

/** Thrown when a login cannot continue. */
export class InteractionError extends Error {
  override readonly name = 'InteractionError'
  readonly reason: InteractionFailure

  constructor(reason: InteractionFailure, options: ErrorOptions = {}) {
    super(reason.message, options)
    this.reason = reason
  }
}

/** Creates the error for an interaction that has ended, or started in another browser. */
export function expiredInteraction(): InteractionError {
  return new InteractionError({
    status: 400,
    title: 'This page has expired',
    message:
      'Its sign-in has ended, timed out, or was started in another browser. Go back to the application and sign in from there.'
  })
}

/** Creates the error for a form that this server did not render for this action. */
export function crossSiteForm(): InteractionError {
  return new InteractionError({
    status: 403,
    title: 'This form was rejected',
    message: 'It was not sent from a page of this server. Go back to the application and sign in from there.'
  })
}
