import { createHash } from 'node:crypto'
import type { AdapterFactory, AdapterPayload } from 'oidc-provider'
import type { IdGenerator } from '../../lib/idGenerator.ts'
import { newRecordFields } from '../../storage/newRecordFields.ts'
import { removeAll } from '../../storage/removeAll.ts'
import type { StoredAuthorization } from '../../storage/resources.ts'
import type { Store } from '../../storage/store.ts'
import { isRevoked } from './isRevoked.ts'
import type { OidcProviderModule } from './loadOidcProvider.ts'
import { startedAt } from './startedAt.ts'
import { toClientMetadata } from './toClientMetadata.ts'

interface Dependencies {
  readonly store: Store
  readonly ids: IdGenerator
  readonly now: () => number
  /** What clients with a secret may ask for beside tokens of their own. */
  readonly grantTypes: readonly string[]
}

/**
 * Where `oidc-provider` keeps what it deals with: sessions, requests to sign in, codes, refresh tokens, grants. What
 * somebody shows to be given one of them is a secret, of which only a hash is kept. Access tokens are signed and nowhere
 * kept; clients are those of the store.
 */
export function createStoreAdapter(
  { errors, Provider }: OidcProviderModule,
  { store, ids, now, grantTypes }: Dependencies
): AdapterFactory {
  return (model) => {
    const authorizations = (of: Store) => of.collection('authorizations')
    const digestOf = (id: string, of = model) => createHash('sha256').update(`${of}:${id}`).digest('hex')
    const isOver = ({ expiresAt }: StoredAuthorization) => expiresAt !== undefined && expiresAt <= now()
    const find = async (match: { digest: string } | { uid: string }, id: string) => {
      const found = await authorizations(store).get({ ...match, model })
      return found && !isOver(found) && !(await isRevoked(found, store)) ? restored(found.payload, id) : undefined
    }
    return {
      find: async (id) => {
        startedAt(Provider.ctx, now)
        if (model !== 'Client') return find({ digest: digestOf(id) }, id)
        const client = await store.collection('clients').get({ clientId: id })
        return client && toClientMetadata(client, grantTypes)
      },
      findByUid: (uid) => find({ uid }, `${BY_UID}${uid}`),
      findByUserCode: async () => undefined,

      upsert: async (id, payload, expiresIn) => {
        const { grantId, uid } = payload as { readonly grantId?: string; readonly uid?: string }
        const digest = digestOf(id)
        const members = {
          model,
          digest,
          payload: withoutSecrets(payload, id),
          ...(expiresIn === undefined ? {} : { expiresAt: now() + expiresIn * 1000 }),
          ...(grantId === undefined ? {} : { grantId }),
          ...(uid === undefined ? {} : { uid })
        }
        await store.transaction(async (transaction) => {
          // What somebody is signed out of while a request is under way is not brought back by it.
          const stamps = newRecordFields(startedAt(Provider.ctx, now), ids)
          const before = await authorizations(transaction).get({ digest })
          if (before) await authorizations(transaction).update(before._id, { ...members, updatedAt: stamps.updatedAt })
          else await authorizations(transaction).insert({ ...stamps, ...members })
        })
      },

      consume: async (id) => {
        const isFirst = await store.transaction(async (transaction) => {
          const found = await authorizations(transaction).get({ digest: digestOf(id) })
          const isUnused = found !== undefined && found.payload.consumed === undefined
          if (isUnused) {
            const payload = { ...found.payload, consumed: Math.floor(now() / 1000) }
            await authorizations(transaction).update(found._id, { payload })
          } else if (found?.grantId !== undefined) {
            await removeAll(transaction, 'authorizations', { grantId: found.grantId })
            // What the first request saves later is of no use without it.
            await removeAll(transaction, 'authorizations', { digest: digestOf(found.grantId, 'Grant') })
          }
          return isUnused
        })
        // Two requests came with it at the same moment, and both had found it unused: one of them has stolen it.
        if (!isFirst) throw new errors.InvalidGrant('it was used already')
      },

      destroy: async (id) => {
        const match = id.startsWith(BY_UID) ? { uid: id.slice(BY_UID.length), model } : { digest: digestOf(id) }
        await removeAll(store, 'authorizations', match)
      },
      revokeByGrantId: (grantId) =>
        store.transaction((transaction) => removeAll(transaction, 'authorizations', { grantId, model }))
    }
  }
}

/** Leaves out what it is asked for by, wherever it stands, and the session that a request to sign in came with. */
function withoutSecrets(
  { jti: _, session, returnTo, ...rest }: AdapterPayload,
  id: string
): StoredAuthorization['payload'] {
  const { cookie: __, ...known } = session ?? {}
  return {
    ...rest,
    ...(session ? { session: known } : {}),
    ...(returnTo === undefined ? {} : { returnTo: returnTo.replace(id, '') })
  }
}

/** Stands for the secret of what was found without it. No secret begins so, and what is kept under one cannot be found by this. */
const BY_UID = 'uid '

/** Puts back what it was asked for by. */
function restored(payload: StoredAuthorization['payload'], id: string): AdapterPayload {
  const { returnTo } = payload
  return {
    // What is kept was written by `oidc-provider`, which may change what it reads.
    ...structuredClone(payload),
    jti: id,
    ...(typeof returnTo === 'string' ? { returnTo: `${returnTo}${id}` } : {})
  }
}
