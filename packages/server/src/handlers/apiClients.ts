import type { MakeEdit } from '../audit/edit.ts'
import { addClient } from '../clients/addClient.ts'
import { changeClient } from '../clients/changeClient.ts'
import { findClient } from '../clients/findClient.ts'
import { forgetAuthorizations } from '../clients/forgetAuthorizations.ts'
import { makeSecret } from '../clients/makeSecret.ts'
import { removeClient } from '../clients/removeClient.ts'
import { rotateSecret } from '../clients/rotateSecret.ts'
import { toApiClient } from '../clients/toApiClient.ts'
import type { Ids } from '../id.ts'
import type { StoredClient } from '../store/resources.ts'
import type { Store } from '../store/store.ts'
import type { Handlers } from './handler.ts'
import { pageOf } from './page.ts'

interface Dependencies {
  readonly store: Store
  readonly edit: MakeEdit
  readonly ids: Ids
}

type Operations =
  | 'createApiClient'
  | 'listApiClients'
  | 'getApiClient'
  | 'updateApiClient'
  | 'deleteApiClient'
  | 'rotateApiClientSecret'

/** Keeps the programs that get tokens, and their secrets. */
export function apiClients({ store, edit, ids }: Dependencies): Pick<Handlers, Operations> {
  return {
    createApiClient: async ({ body }, caller) => {
      const secret = body.isPublic ? undefined : makeSecret(ids)
      const client = await edit(caller, (change) => addClient(change, body, secret))
      return { ...toApiClient(client), ...(secret ? { clientSecret: secret.secret } : {}) }
    },

    listApiClients: async ({ query }, caller) => {
      const where = { _organization: caller.organization }
      const page = pageOf<StoredClient>(query, where, ['name', 'clientId'])
      const { items, count } = await store.collection('clients').list(page)
      return { items: items.map(toApiClient), count }
    },

    getApiClient: async ({ params }, caller) => toApiClient(await findClient(store, params.client, caller)),

    updateApiClient: async ({ params, body }, caller) => {
      const client = await edit(caller, (change) => changeClient(change, params.client, body))
      if (client.signedOutAt !== undefined) await forgetAuthorizations(store, client, client.signedOutAt)
      return toApiClient(client)
    },

    deleteApiClient: async ({ params }, caller) => {
      await forgetAuthorizations(store, await edit(caller, (change) => removeClient(change, params.client)))
    },

    rotateApiClientSecret: async ({ params }, caller) => {
      const secret = makeSecret(ids)
      const client = await edit(caller, (change) => rotateSecret(change, params.client, secret))
      await forgetAuthorizations(store, client)
      return { clientId: client.clientId, clientSecret: secret.secret }
    }
  }
}
