import { createRequestStateCodec, type RequestStateCodec } from '@modelcontextprotocol/server'
import type { Caller } from '../service.ts'

/** What was asked about: these arguments of this tool in this project, with this effect. */
export interface Asked {
  /** A person by a question, or the assistant by an answer with a token: a yes to one is none to the other. */
  readonly by: 'question' | 'token'
  readonly tool: string
  readonly project: string
  /** Digests. */
  readonly args: string
  readonly effect: string
}

/** The same, of one time that it was asked. */
export interface Sealed extends Asked {
  readonly id: string
}

/** How long somebody has to say yes, in seconds. */
export const CONFIRMATION_SECONDS = 300

/**
 * Seals what a caller was asked about, so that it can go through the client and come back: as `requestState` of an
 * elicitation (revision 2026-07-28), or as the token of a confirmation. It is signed, ends, and is good for this caller alone.
 */
export function requestStates(key: Uint8Array, { id }: Pick<Caller, 'id'>): RequestStateCodec<Sealed> {
  return createRequestStateCodec<Sealed>({ key, ttlSeconds: CONFIRMATION_SECONDS, bind: () => id })
}
