/** Why a login cannot continue, for the person. */
export interface InteractionFailure {
  readonly status: number
  readonly title: string
  /** What happened and what to do, in sentences. */
  readonly message: string
  /** The link to continue. */
  readonly next?: { readonly address: string; readonly label: string } | undefined
}

/** A login that cannot continue. */
export class InteractionError extends Error {
  override readonly name = 'InteractionError'
  readonly reason: InteractionFailure

  constructor(reason: InteractionFailure, options: ErrorOptions = {}) {
    super(reason.message, options)
    this.reason = reason
  }
}

/** The interaction has ended, or started in another browser. */
export function expiredInteraction(): InteractionError {
  return new InteractionError({
    status: 400,
    title: 'This page is no longer in use',
    message:
      'The sign-in it belongs to has ended, took too long, or was begun in another browser. Go back to the application and sign in from there.'
  })
}

/** The form was not rendered by this server for this action. */
export function crossSiteForm(): InteractionError {
  return new InteractionError({
    status: 403,
    title: 'This form cannot be taken',
    message:
      'It was not sent from the page that this server showed you. Go back to the application and sign in from there.'
  })
}
