import type { AdapterFactory } from 'oidc-provider'
import type { Store } from '../store/store.ts'
import { DECOY, verifies } from './verifier.ts'

/**
 * Where `oidc-provider` looks for what it deals with. It finds clients, with the verifier in place of the secret; access
 * tokens are signed and nowhere kept.
 */
export function clientAdapter(store: Store): AdapterFactory {
  return (model) => ({
    find: async (id) => {
      const client = model === 'Client' ? await store.collection('clients').get({ clientId: id }) : undefined
      if (client) return { client_id: client.clientId, client_secret: client.secretVerifier }
      await verifies(id, DECOY)
      return undefined
    },
    findByUserCode: async () => undefined,
    findByUid: async () => undefined,
    upsert: unkept,
    consume: unkept,
    destroy: unkept,
    revokeByGrantId: unkept
  })
}

async function unkept(): Promise<never> {
  throw new Error('nothing of the client credentials grant is kept')
}
