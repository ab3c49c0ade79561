import { createHash } from 'node:crypto'
import { omitUndefined } from '@burgee/kit'
import { z } from 'zod'
import type { StoredUser } from '../../storage/resources/organization.ts'
import type { Store } from '../../storage/store.ts'
import type { LoginSecrets } from './loginSecrets.ts'
import { expiredInteraction } from './pages/interactionError.ts'

/** The verified steps of a sign-in. */
export interface VerifiedSteps {
  readonly user: StoredUser
  /** The authentication methods (RFC 8176), for example `pwd`. */
  readonly methods: readonly string[]
  /** The id of the session at the identity provider. */
  readonly upstreamSession?: string | undefined
  /** When the person signed in at the identity provider. */
  readonly authenticatedAt?: number | undefined
}

/** The page that a ticket is for: the code or passkey, the end of adding a factor, or the replacement of a password. */
export type TicketPurpose = 'second step' | 'enrolled' | 'ticket'

interface Dependencies {
  readonly store: Store
  readonly secrets: LoginSecrets
}

/** Creates a ticket that proves the verified steps of an interaction for ten minutes. */
export function sealTicket(
  purpose: TicketPurpose,
  { user, methods, upstreamSession, authenticatedAt }: VerifiedSteps,
  uid: string,
  secrets: LoginSecrets
): Promise<string> {
  const { _id, signedOutAt = '' } = user
  const contents = { uid, user: _id, password: digestPassword(user), signedOutAt, methods }
  return secrets.seal(purpose, { ...contents, ...omitUndefined({ upstreamSession, authenticatedAt }) }, TICKET_SECONDS)
}

const TICKET_SECONDS = 600

/**
 * Returns the verified steps that a ticket proves.
 * @throws {InteractionError} if the ticket is not valid, or the person was signed out or has another password since.
 */
export async function openTicket(
  purpose: TicketPurpose,
  ticket: string,
  uid: string,
  { store, secrets }: Dependencies
): Promise<VerifiedSteps> {
  const { data } = Contents.safeParse(await secrets.open(purpose, ticket))
  if (data?.uid !== uid) throw expiredInteraction()
  const { methods, upstreamSession, authenticatedAt } = data
  const user = await store.collection('users').get({ _id: data.user })
  const isSame = digestPassword(user) === data.password && (user?.signedOutAt ?? '') === data.signedOutAt
  if (!user || user.isDisabled || !isSame) throw expiredInteraction()
  return { user, methods, upstreamSession, authenticatedAt }
}

const Contents = z.object({
  uid: z.string(),
  user: z.string(),
  password: z.string(),
  signedOutAt: z.string(),
  methods: z.array(z.string()),
  upstreamSession: z.string().optional(),
  authenticatedAt: z.number().optional()
})

/** A fingerprint of the current password hash. */
export function digestPassword({ passwordVerifier = '' }: Partial<StoredUser> = {}): string {
  return createHash('sha256').update(passwordVerifier).digest('base64url')
}
