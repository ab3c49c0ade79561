import type { EditRunner } from '../../../access/audit/edit.ts'
import type { ConfiguredClientIds } from '../../../identity/clients/assertMayManageClient.ts'
import { createApiClient } from '../../../identity/clients/createApiClient.ts'
import { generateClientSecret } from '../../../identity/clients/generateClientSecret.ts'
import { getApiClient } from '../../../identity/clients/getApiClient.ts'
import { removeApiClient } from '../../../identity/clients/removeApiClient.ts'
import { rotateClientSecret } from '../../../identity/clients/rotateClientSecret.ts'
import { toApiClient } from '../../../identity/clients/toApiClient.ts'
import { updateApiClient } from '../../../identity/clients/updateApiClient.ts'
import { revokeAuthorizations } from '../../../identity/revocation/revokeAuthorizations.ts'
import type { IdGenerator } from '../../../lib/idGenerator.ts'
import type { StoredClient } from '../../../storage/resources/organization.ts'
import type { Store } from '../../../storage/store.ts'
import type { Handlers } from '../shared/handler.ts'
import { toListQuery } from '../shared/toListQuery.ts'

interface Dependencies {
  readonly store: Store
  readonly edit: EditRunner
  readonly ids: IdGenerator
  /** The ids of clients that the server settings contain. */
  readonly configuredClientIds: ConfiguredClientIds
}

type Operations =
  | 'createApiClient'
  | 'listApiClients'
  | 'getApiClient'
  | 'updateApiClient'
  | 'deleteApiClient'
  | 'rotateApiClientSecret'

/** Handlers of API clients and their secrets. */
export function apiClients({ store, edit, ids, configuredClientIds }: Dependencies): Pick<Handlers, Operations> {
  return {
    createApiClient: async ({ body }, caller) => {
      const secret = body.isPublic ? undefined : generateClientSecret(ids)
      const client = await edit(caller, (change) => createApiClient(change, body, secret, configuredClientIds))
      return { ...toApiClient(client, caller), ...(secret ? { clientSecret: secret.secret } : {}) }
    },

    listApiClients: async ({ query }, caller) => {
      const where = { _organization: caller.organization }
      const page = toListQuery<StoredClient>(query, where, ['name', 'clientId'])
      const { items, count } = await store.collection('clients').list(page)
      return { items: items.map((client) => toApiClient(client, caller)), count }
    },

    getApiClient: async ({ params }, caller) => {
      return toApiClient(await getApiClient(store, params.client, caller), caller)
    },

    updateApiClient: async ({ params, body }, caller) => {
      const client = await edit(caller, (change) => updateApiClient(change, params.client, body, configuredClientIds))
      if (client.signedOutAt !== undefined) await revokeAuthorizations(store, client, client.signedOutAt)
      return toApiClient(client, caller)
    },

    deleteApiClient: async ({ params }, caller) => {
      await revokeAuthorizations(store, await edit(caller, (change) => removeApiClient(change, params.client)))
    },

    rotateApiClientSecret: async ({ params }, caller) => {
      const secret = generateClientSecret(ids)
      const client = await edit(caller, (change) =>
        rotateClientSecret(change, params.client, secret, configuredClientIds)
      )
      await revokeAuthorizations(store, client)
      return { clientId: client.clientId, clientSecret: secret.secret }
    }
  }
}
