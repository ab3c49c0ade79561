import type { AdapterFactory, AdapterPayload, KoaContextWithOIDC } from 'oidc-provider'
import type { IdGenerator } from '../../lib/idGenerator.ts'
import { networkOf } from '../../lib/network.ts'
import { newRecordFields } from '../../storage/newRecordFields.ts'
import { removeAll } from '../../storage/removeAll.ts'
import type { StoredAuthorization } from '../../storage/resources/organization.ts'
import type { Store } from '../../storage/store.ts'
import { digestBearer, digestUserCode } from '../oauth/digestBearer.ts'
import { addRevocation } from '../revocation/revocations.ts'
import { isRevoked, ownerOf } from './isRevoked.ts'
import type { OidcProviderModule } from './loadOidcProvider.ts'
import { generationsOf, startedAt } from './startedAt.ts'
import { toClientMetadata } from './toClientMetadata.ts'

interface Dependencies {
  readonly store: Store
  readonly ids: IdGenerator
  readonly now: () => number
  /** Further grant types of clients with a secret. */
  readonly grantTypes: readonly string[]
}

/**
 * The storage of `oidc-provider`: sessions, interactions, codes, refresh tokens, grants. Bearer values are secrets and
 * only their hashes are stored. Access tokens are signed and not stored; clients are read from the store.
 */
export function createStoreAdapter(
  { errors, Provider }: OidcProviderModule,
  { store, ids, now, grantTypes }: Dependencies
): AdapterFactory {
  return (model) => {
    const authorizations = (of: Store) => of.collection('authorizations')
    const digestOf = (id: string, of = model) => digestBearer(of, id)
    const matchOf = (id: string) => (id.startsWith(BY_UID) ? { uid: toUid(id), model } : { digest: digestOf(id) })
    const isExpired = ({ expiresAt }: StoredAuthorization) => expiresAt !== undefined && expiresAt <= now()
    const find = async (match: { digest: string } | { uid: string }, id: string) => {
      const found = await authorizations(store).get({ ...match, model })
      if (!found || isContinuedElsewhere(found, Provider.ctx)) return undefined
      // An expired device code is kept, so that polls get `expired_token` instead of `invalid_grant`.
      if (isExpired(found)) return model === 'DeviceCode' ? { ...restored(found.payload, id), exp: 1 } : undefined
      await generationsOf(Provider.ctx, store, ownerOf(found.payload))
      return (await isRevoked(found, store)) ? undefined : restored(found.payload, id)
    }
    const toMembers = (id: string, payload: AdapterPayload, expiresIn: number | undefined) => {
      const { grantId, userCode } = payload
      const uid = userCode === undefined ? payload.uid : digestUserCode(userCode)
      return {
        model,
        payload: withoutSecrets(payload, id),
        ...(expiresIn === undefined ? {} : { expiresAt: now() + expiresIn * 1000 }),
        ...(grantId === undefined ? {} : { grantId }),
        ...(uid === undefined ? {} : { uid })
      }
    }
    return {
      find: async (id) => {
        startedAt(Provider.ctx, now)
        if (id.startsWith(BY_UID)) return isResumedDevice(Provider.ctx) ? find({ uid: toUid(id) }, id) : undefined
        if (model !== 'Client') return find({ digest: digestOf(id) }, id)
        await generationsOf(Provider.ctx, store, { clientId: id })
        const client = await store.collection('clients').get({ clientId: id })
        return client && toClientMetadata(client, grantTypes)
      },
      findByUid: (uid) => find({ uid }, `${BY_UID}${uid}`),
      findByUserCode: async (userCode) => {
        const uid = digestUserCode(userCode)
        const found = await find({ uid }, `${BY_UID}${uid}`)
        return found && { ...found, userCode }
      },

      upsert: (id, payload, expiresIn) => {
        const members = toMembers(id, payload, expiresIn)
        return store.transaction(async (transaction) => {
          // State that was revoked while a request was in progress is not restored.
          const generations = await generationsOf(Provider.ctx, transaction, ownerOf(members.payload))
          const fields = newRecordFields(startedAt(Provider.ctx, now), ids)
          const before = await authorizations(transaction).get(matchOf(id))
          if (model === 'DeviceCode' && !canChange(before, payload, id)) {
            throw new errors.InvalidRequest('the code was already used')
          }
          if (before) {
            await authorizations(transaction).update(before._id, {
              ...members,
              generations: { ...generations, ...before.generations },
              updatedAt: fields.updatedAt
            })
            return
          }
          const ip = model === 'Interaction' || model === 'DeviceCode' ? Provider.ctx?.ip : undefined
          const network = ip ? { network: networkOf(ip) } : {}
          await authorizations(transaction).insert({
            ...fields,
            ...members,
            ...network,
            digest: digestOf(id),
            generations
          })
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
            // Later writes of the first request would be useless without it.
            await removeAll(transaction, 'authorizations', { digest: digestOf(found.grantId, 'Grant') })
            await addRevocation(transaction, { grant: found.grantId }, { ids, now })
          }
          return isUnused
        })
        // Two concurrent requests presented the same unused value, so one of them stole it.
        if (!isFirst) throw new errors.InvalidGrant('the value was already used')
      },

      destroy: async (id) => {
        await removeAll(store, 'authorizations', matchOf(id))
      },
      revokeByGrantId: (grantId) =>
        store.transaction(async (transaction) => {
          await removeAll(transaction, 'authorizations', { grantId, model })
          // Access tokens are not stored; this revokes those of the grant.
          if (model === 'AccessToken') await addRevocation(transaction, { grant: grantId }, { ids, now })
        })
    }
  }
}

/** Removes the bearer value wherever it occurs, and the session of an interaction. */
function withoutSecrets(
  { jti: _, userCode: _userCode, session, returnTo, ...rest }: AdapterPayload,
  id: string
): StoredAuthorization['payload'] {
  const { cookie: __, ...known } = session ?? {}
  return {
    ...rest,
    ...(session ? { session: known } : {}),
    ...(returnTo === undefined ? {} : { returnTo: returnTo.replace(id, '') })
  }
}

/** Prefix of the placeholder for the removed bearer value. No bearer value starts with it. */
const BY_UID = 'uid '

function toUid(id: string): string {
  return id.slice(BY_UID.length)
}

/**
 * Whether a request continues after the sign-in for a device code, which the person found by its user code. Nothing
 * else can name a device code by its `uid`: the token endpoint requires the bearer value.
 */
function isResumedDevice(ctx: KoaContextWithOIDC | undefined): boolean {
  return ctx?.oidc.route === 'device_resume'
}

/**
 * Whether a request continues a pending sign-in at the address of the other kind: an application waits for its
 * redirect, a device for its code.
 */
function isContinuedElsewhere({ model, payload }: StoredAuthorization, ctx: KoaContextWithOIDC | undefined): boolean {
  const route = ctx?.oidc?.route
  if (model !== 'Interaction' || (route !== 'resume' && route !== 'device_resume')) return false
  return (payload.deviceCode !== undefined) !== isResumedDevice(ctx)
}

/** Whether a device code can be stored: it is new, or nobody else has confirmed, allowed or denied it meanwhile. */
function canChange(before: StoredAuthorization | undefined, after: AdapterPayload, id: string): boolean {
  if (!before) return !id.startsWith(BY_UID)
  const { accountId, error, inFlight } = before.payload
  const isConfirmation = after.accountId === undefined && after.error === undefined
  return accountId === undefined && error === undefined && !(inFlight && isConfirmation)
}

/** Restores the bearer value. */
function restored(payload: StoredAuthorization['payload'], id: string): AdapterPayload {
  const { returnTo } = payload
  return {
    // `oidc-provider` wrote this state and may modify what it reads.
    ...structuredClone(payload),
    jti: id,
    ...(typeof returnTo === 'string' ? { returnTo: `${returnTo}${id}` } : {})
  }
}
