/** Why somebody's sign-in does not go on, in words for them. */
export interface InteractionFailure {
  readonly status: number
  readonly title: string
  /** What happened and what to do, in sentences. */
  readonly message: string
  /** Where to go on. */
  readonly next?: { readonly address: string; readonly label: string } | undefined
}

/** A sign-in that does not go on. */
export class InteractionError extends Error {
  override readonly name = 'InteractionError'
  readonly reason: InteractionFailure

  constructor(reason: InteractionFailure, options: ErrorOptions = {}) {
    super(reason.message, options)
    this.reason = reason
  }
}

/** What somebody came back to is over, or began in another browser. */
export function expiredInteraction(): InteractionError {
  return new InteractionError({
    status: 400,
    title: 'This page is no longer in use',
    message:
      'The sign-in it belongs to has ended, took too long, or was begun in another browser. Go back to the application and sign in from there.'
  })
}

/** A form came from somewhere else. */
export function crossSiteForm(): InteractionError {
  return new InteractionError({
    status: 403,
    title: 'This form cannot be taken',
    message:
      'It was not sent from the page that this server showed you. Go back to the application and sign in from there.'
  })
}
