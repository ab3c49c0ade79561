import { createRequestStateCodec, type RequestStateCodec } from '@modelcontextprotocol/server'
import type { Caller } from '../connection/context.ts'

/** The call that a confirmation is valid for. */
export interface ConfirmationState {
  /** Confirmed by the person, or by the assistant with a token. The two are not interchangeable. */
  readonly by: 'question' | 'token'
  readonly tool: string
  readonly project: string
  /** Digest of the arguments. */
  readonly args: string
  /** Digest of the plan. */
  readonly plan: string
}

/** A confirmation that can be used once. */
export interface SignedConfirmation extends ConfirmationState {
  readonly id: string
}

/** How long a confirmation is valid, in seconds. */
export const CONFIRMATION_SECONDS = 300

/**
 * Creates the codec for confirmations that travel through the client: as `requestState` of an elicitation (revision
 * 2026-07-28), or as a `confirmationToken`. They are signed, expire, and are bound to the caller.
 */
export function createConfirmationCodec(
  key: Uint8Array,
  { id }: Pick<Caller, 'id'>
): RequestStateCodec<SignedConfirmation> {
  return createRequestStateCodec<SignedConfirmation>({ key, ttlSeconds: CONFIRMATION_SECONDS, bind: () => id })
}
