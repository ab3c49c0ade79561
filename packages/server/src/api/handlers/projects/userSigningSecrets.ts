import type { EditRunner } from '../../../access/audit/edit.ts'
import { getChangeableEnvironment } from '../../../flags/environments/getChangeableEnvironment.ts'
import {
  newUserSigningSecret,
  persistSigningSecrets,
  withoutSigningSecret,
  withSigningSecret
} from '../../../flags/signedUsers/userSigningSecrets.ts'
import { forbidden } from '../../../lib/errors.ts'
import type { IdGenerator } from '../../../lib/idGenerator.ts'
import type { Store } from '../../../storage/store.ts'
import type { Handlers } from '../shared/handler.ts'

interface Dependencies {
  readonly store: Store
  readonly edit: EditRunner
  readonly ids: IdGenerator
}

type Operations = 'listUserSigningSecrets' | 'createUserSigningSecret' | 'deleteUserSigningSecret'

/** Handlers of the secrets with which applications sign their users. */
export function userSigningSecrets({ store, edit, ids }: Dependencies): Pick<Handlers, Operations> {
  return {
    listUserSigningSecrets: async ({ params }, caller) => {
      const { _id, userSigningSecrets = [] } = await getChangeableEnvironment(store, params, caller)
      if (caller.access.environments?.has(_id) === false) {
        throw forbidden('the token is limited to other environments: it does not show the secrets of this one')
      }
      return [...userSigningSecrets]
    },

    createUserSigningSecret: ({ params }, caller) =>
      edit(caller, async (change) => {
        const environment = await getChangeableEnvironment(change.store, params, caller)
        const added = newUserSigningSecret(change, ids)
        await persistSigningSecrets(change, withSigningSecret(environment, added))
        return added
      }),

    deleteUserSigningSecret: ({ params }, caller) =>
      edit(caller, async (change) => {
        const environment = await getChangeableEnvironment(change.store, params, caller)
        await persistSigningSecrets(change, withoutSigningSecret(environment, params.id))
      })
  }
}
