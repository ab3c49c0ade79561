import type { EditRunner } from '../../../access/audit/edit.ts'
import {
  addPasskey,
  confirmAuthenticatorApp,
  deleteSecondFactor,
  listSecondFactors,
  replaceRecoveryCodes,
  startAuthenticatorApp,
  startPasskey
} from '../../../identity/account/ownSecondFactors.ts'
import { revokeAuthorizations } from '../../../identity/revocation/revokeAuthorizations.ts'
import { resetSecondFactors } from '../../../identity/secondFactor/resetSecondFactors.ts'
import type { IdGenerator } from '../../../lib/idGenerator.ts'
import type { Store } from '../../../storage/store.ts'
import type { Handlers } from '../shared/handler.ts'

interface Dependencies {
  readonly store: Store
  readonly edit: EditRunner
  readonly ids: IdGenerator
  readonly now: () => number
  /** The public URL of the server, if it is known. */
  readonly publicUrl: () => string | undefined
}

type Operations =
  | 'listSecondFactors'
  | 'startAuthenticatorApp'
  | 'confirmAuthenticatorApp'
  | 'startPasskey'
  | 'addPasskey'
  | 'deleteSecondFactor'
  | 'replaceRecoveryCodes'
  | 'resetSecondFactors'

/** Handlers of second factors. */
export function secondFactors(dependencies: Dependencies): Pick<Handlers, Operations> {
  const { store, edit } = dependencies
  return {
    listSecondFactors: (_, caller) => listSecondFactors(dependencies, caller),

    startAuthenticatorApp: (_, caller) => startAuthenticatorApp(dependencies, caller),

    confirmAuthenticatorApp: ({ body }, caller) => confirmAuthenticatorApp(dependencies, caller, body),

    startPasskey: (_, caller) => startPasskey(dependencies, caller),

    addPasskey: ({ body }, caller) => addPasskey(dependencies, caller, body),

    deleteSecondFactor: ({ params }, caller) => deleteSecondFactor(dependencies, caller, params.factor),

    replaceRecoveryCodes: (_, caller) => replaceRecoveryCodes(dependencies, caller),

    resetSecondFactors: async ({ params }, caller) => {
      const { userId, signedOutAt } = await edit(caller, (change) => resetSecondFactors(change, params.user))
      await revokeAuthorizations(store, { accountId: userId }, signedOutAt)
    }
  }
}
