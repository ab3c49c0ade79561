import type {
  AddedSecondFactor,
  AddPasskey,
  AuthenticatorAppSecret,
  PasskeyOptions,
  RecoveryCodes,
  SecondFactors
} from '@burgee/contract/schemas'
import type { Edit, EditRunner } from '../../access/audit/edit.ts'
import type { TokenCaller } from '../../access/permissions/caller.ts'
import { badRequest, itemNotFound, preconditionFailed } from '../../lib/errors.ts'
import type { IdGenerator } from '../../lib/idGenerator.ts'
import type { StoredUser } from '../../storage/resources/organization.ts'
import type { Store } from '../../storage/store.ts'
import { isSecondFactorRequired } from '../organizations/secondFactorRequirement.ts'
import { getOwnAccount } from '../people/getOwnAccount.ts'
import { assertRecentSignIn } from '../secondFactor/assertRecentSignIn.ts'
import { putChallenge, takeChallenge } from '../secondFactor/challenges.ts'
import { confirmApp, startApp } from '../secondFactor/enrolApp.ts'
import { addFactor, loadFactors, removeFactors, replaceCodes, toSecondFactors } from '../secondFactor/factors.ts'
import {
  createChallenge,
  createRegistrationOptions,
  toRelyingParty,
  verifyRegistration
} from '../secondFactor/passkeys.ts'

interface Dependencies {
  readonly store: Store
  readonly edit: EditRunner
  readonly ids: IdGenerator
  readonly now: () => number
  /** The public URL of the server, if it is known. */
  readonly publicUrl: () => string | undefined
}

/** Lists the second factors of the caller. @throws {HttpError} 403 */
export async function listSecondFactors(
  { store }: Pick<Dependencies, 'store'>,
  caller: TokenCaller
): Promise<SecondFactors> {
  const user = await getOwnAccount(store, caller)
  const factors = await loadFactors(store, user)
  return {
    factors: toSecondFactors(factors),
    unusedRecoveryCodes: factors.codes?.codeHashes.length ?? 0,
    isRequired: await isSecondFactorRequired(store, user)
  }
}

/** Returns the key for an authenticator app of the caller. @throws {HttpError} 403 */
export async function startAuthenticatorApp(
  dependencies: Dependencies,
  caller: TokenCaller
): Promise<AuthenticatorAppSecret> {
  const { user, origin } = await getRecentSignIn(dependencies, caller)
  return startApp(dependencies, user, origin)
}

/** Activates an authenticator app of the caller. @throws {HttpError} 400, 403 or 412 */
export async function confirmAuthenticatorApp(
  dependencies: Dependencies,
  caller: TokenCaller,
  given: { readonly code: string; readonly name?: string }
): Promise<AddedSecondFactor> {
  const { user, origin } = await getRecentSignIn(dependencies, caller)
  const confirmed = await confirmApp(dependencies, user, origin, given.code)
  if (confirmed === 'none') {
    throw preconditionFailed(
      'there is no key to confirm: it has expired, or another session or token started it; start adding the app again'
    )
  }
  if (confirmed === 'wrong') throw badRequest('code should be the current code of the app; check its clock')
  return changeOwn(dependencies, caller, (change, current) =>
    addFactor(change, current, {
      type: 'authenticatorApp',
      members: { name: 'Authenticator app', ...confirmed, ...(given.name ? { name: given.name } : {}) }
    })
  )
}

/** Returns the options with which the browser of the caller creates a passkey. @throws {HttpError} 403 or 412 */
export async function startPasskey(dependencies: Dependencies, caller: TokenCaller): Promise<PasskeyOptions> {
  const { user, origin } = await getRecentSignIn(dependencies, caller)
  const challenge = createChallenge(dependencies.ids)
  const { passkeys } = await loadFactors(dependencies.store, user)
  const options = await createRegistrationOptions(user, passkeys, getRelyingParty(dependencies), challenge)
  await putChallenge(dependencies, 'addPasskey', { _user: user._id, origin }, challenge)
  return options
}

/** Adds a passkey of the caller. @throws {HttpError} 400, 403 or 412 */
export async function addPasskey(
  dependencies: Dependencies,
  caller: TokenCaller,
  { credential, name = 'Passkey' }: AddPasskey
): Promise<AddedSecondFactor> {
  const {
    user: { _id: _user },
    origin
  } = await getRecentSignIn(dependencies, caller)
  const relyingParty = getRelyingParty(dependencies)
  const challenge = await takeChallenge(dependencies, 'addPasskey', { _user, origin })
  if (challenge === undefined) {
    throw preconditionFailed(
      'there is no challenge for a passkey: it was used or has expired, or another session or token started it; start again'
    )
  }
  const verified = await verifyRegistration(credential, relyingParty, challenge).catch(() => {
    // The messages of the library contain internals.
    throw badRequest(
      `credential is not valid: it should be the response to the options of this server, created on a page of ${relyingParty.origin} with verification of the user`
    )
  })
  return changeOwn(dependencies, caller, async (change, user) => {
    const { credentialId } = verified
    if (await change.store.collection('passkeys').get({ credentialId })) {
      throw preconditionFailed('this passkey is already registered')
    }
    return addFactor(change, user, { type: 'passkey', members: { ...verified, name } })
  })
}

/** Removes a second factor of the caller. @throws {HttpError} 403, 404 or 412 */
export async function deleteSecondFactor(dependencies: Dependencies, caller: TokenCaller, id: string): Promise<void> {
  await changeOwn(dependencies, caller, async (change, user) => {
    const factors = toSecondFactors(await loadFactors(change.store, user))
    const factor = factors.find(({ _id }) => _id === id)
    if (!factor) throw itemNotFound('second factor', id)
    if (factors.length === 1 && (await isSecondFactorRequired(change.store, user))) {
      throw preconditionFailed('the organization requires a second factor; add another before you remove the last one')
    }
    await removeFactors(change, user, [factor])
  })
}

/** Replaces the recovery codes of the caller. @throws {HttpError} 403 or 412 */
export async function replaceRecoveryCodes(dependencies: Dependencies, caller: TokenCaller): Promise<RecoveryCodes> {
  return changeOwn(dependencies, caller, async (change, user) => {
    const { apps, passkeys } = await loadFactors(change.store, user)
    if (apps.length + passkeys.length === 0) throw preconditionFailed('recovery codes need a second factor; add one')
    return replaceCodes(change, user)
  })
}

/** Returns the caller, and the id of the session or token of a recent sign-in. @throws {HttpError} 403 */
async function getRecentSignIn(
  dependencies: Pick<Dependencies, 'store' | 'now'>,
  caller: TokenCaller
): Promise<{ readonly user: StoredUser; readonly origin: string }> {
  const user = await getOwnAccount(dependencies.store, caller)
  const { origin } = await assertRecentSignIn(dependencies, caller, user)
  return { user, origin }
}

/** Changes the caller in the state of the transaction: another session may have added a second factor meanwhile. */
function changeOwn<T>(
  { edit, now }: Dependencies,
  caller: TokenCaller,
  work: (change: Edit, user: StoredUser) => Promise<T>
): Promise<T> {
  return edit(caller, async (change) => {
    const { user } = await getRecentSignIn({ store: change.store, now }, caller)
    return work(change, user)
  })
}

function getRelyingParty({ publicUrl }: Dependencies) {
  const url = publicUrl()
  if (url === undefined)
    throw preconditionFailed('passkeys are bound to the public URL of the server; set --public-url')
  return toRelyingParty(url)
}
