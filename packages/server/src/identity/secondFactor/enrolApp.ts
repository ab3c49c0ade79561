import type { AuthenticatorAppSecret } from '@burgee/contract/schemas'
import type { IdGenerator } from '../../lib/idGenerator.ts'
import type { StoredUser } from '../../storage/resources/organization.ts'
import type { StoredAuthenticatorApp } from '../../storage/resources/secondFactor.ts'
import type { Store } from '../../storage/store.ts'
import { findChallenge, putChallenge, takeChallenge } from './challenges.ts'
import { createTotpSecret, findTimeStep, formatTotpUri } from './totp.ts'

interface Dependencies {
  readonly store: Store
  readonly ids: IdGenerator
  readonly now: () => number
}

/**
 * Creates the key for a new authenticator app of a person. It replaces an earlier one that was not confirmed, of the
 * same sign-in, session or token (`origin`).
 */
export async function startApp(
  dependencies: Dependencies,
  user: StoredUser,
  origin: string
): Promise<AuthenticatorAppSecret> {
  const secret = createTotpSecret(dependencies.ids)
  await putChallenge(dependencies, 'authenticatorApp', { _user: user._id, origin }, secret)
  return { secret, uri: formatTotpUri(secret, user) }
}

/** Returns the unconfirmed key of a person in a sign-in or session. */
export async function findPendingApp(
  dependencies: Dependencies,
  user: StoredUser,
  origin: string
): Promise<AuthenticatorAppSecret | undefined> {
  const secret = await findChallenge(dependencies, 'authenticatorApp', { _user: user._id, origin })
  return secret === undefined ? undefined : { secret, uri: formatTotpUri(secret, user) }
}

/**
 * Checks the first code of a new app, and removes its unconfirmed key if the code is right. Returns `none` if there is
 * no key, and `wrong` for a wrong code, which keeps the key for another attempt.
 */
export async function confirmApp(
  dependencies: Dependencies,
  { _id: _user }: StoredUser,
  origin: string,
  code: string
): Promise<Pick<StoredAuthenticatorApp, 'totpSecret' | 'lastStep'> | 'none' | 'wrong'> {
  const holder = { _user, origin }
  const totpSecret = await findChallenge(dependencies, 'authenticatorApp', holder)
  if (totpSecret === undefined) return 'none'
  const lastStep = findTimeStep(totpSecret, code.replace(/\s/g, ''), dependencies.now())
  if (lastStep === undefined) return 'wrong'
  const taken = await takeChallenge(dependencies, 'authenticatorApp', holder)
  return taken === totpSecret ? { totpSecret, lastStep } : 'none'
}
