import { isPublicKeyType } from '@burgee/contract/access'
import type { OptInChoices } from '@burgee/contract/schemas'
import type { KeyConfig } from '../../delivery/configs/keyConfig.ts'
import type { IdGenerator } from '../../lib/idGenerator.ts'
import { forEachYielding } from '../../lib/time.ts'
import { newRecordFields } from '../../storage/newRecordFields.ts'
import type { EdgeProperties, StoredOptIns } from '../../storage/resources/applicationUser.ts'
import type { StoredProject } from '../../storage/resources/project.ts'
import type { Store } from '../../storage/store.ts'
import { effectiveProperties, pickProperties, writeFromClient, writeFromServer } from './edgeProperties.ts'
import { type ApplicationUserCollection, assertRecordFits, toSeenAt, type UserDataUsage } from './userDataUsage.ts'

/** Reads and writes the stored data of users of applications, by the rules for the caller's key (ADR 52). */
export interface ApplicationUsers {
  /** Returns the stored properties of a user that evaluations with the caller's key use. */
  readonly findProperties: (caller: KeyConfig, user_id: string) => Promise<EdgeProperties | undefined>
  /** Returns the opt-in choices of a user that evaluations with the caller's key use. */
  readonly findChoices: (caller: KeyConfig, user_id: string) => Promise<OptInChoices | undefined>
  /** @throws {HttpError} 413 or 429 at a limit. */
  readonly saveProperties: (writer: Writer, user_id: string, properties: EdgeProperties) => Promise<void>
  /** @throws {HttpError} 413 or 429 at a limit. */
  readonly saveChoices: (writer: Writer, user_id: string, choices: OptInChoices) => Promise<void>
}

/** Who writes data of a user. */
export interface Writer {
  readonly caller: KeyConfig
  /** The network of the request, whose share of new users is limited. */
  readonly network: string
}

interface Dependencies {
  readonly store: Store
  readonly ids: IdGenerator
  readonly now: () => number
  readonly usage: Pick<UserDataUsage, 'assertRoom' | 'recordAddition' | 'touch'>
}

/** Creates the access to stored users. */
export function createApplicationUsers({ store, ids, now, usage }: Dependencies): ApplicationUsers {
  /** Refuses a new user before the transaction, so that a flood does not delay other writes. */
  const assertRoomBefore = async (
    collection: ApplicationUserCollection,
    { caller, network }: Writer,
    user_id: string
  ) => {
    if (!isPublicKeyType(caller.keyType)) return
    const [_project, _environment] = [caller.project._id, caller.environment._id]
    const stored =
      collection === 'edgeUsers'
        ? await store.collection(collection).get({ _project, user_id })
        : await store.collection(collection).get({ _environment, user_id })
    if (!stored) usage.assertRoom(collection, { owner: collection === 'edgeUsers' ? _project : _environment, network })
  }

  return {
    findProperties: async (caller, user_id) => {
      if (caller.ignoresStoredUsers) return undefined
      const stored = await store.collection('edgeUsers').get({ _project: caller.project._id, user_id })
      if (!stored) return undefined
      usage.touch('edgeUsers', stored)
      return effectiveProperties(stored, { withClientWrites: usesClientWrites(caller) })
    },

    findChoices: async (caller, user_id) => {
      if (caller.ignoresStoredUsers) return undefined
      const stored = await store.collection('optIns').get({ _environment: caller.environment._id, user_id })
      if (!stored) return undefined
      usage.touch('optIns', stored)
      return effectiveChoices(stored, caller)
    },

    saveProperties: async (writer, user_id, given) => {
      const { caller, network } = writer
      await assertRoomBefore('edgeUsers', writer, user_id)
      await store.transaction(async (transaction) => {
        const at = now()
        const users = transaction.collection('edgeUsers')
        const place = { _project: caller.project._id, user_id }
        const stored = await users.get(place)
        const fields = newRecordFields(at, ids)
        const dates = { updatedAt: fields.updatedAt, seenAt: toSeenAt(at) }
        if (caller.keyType === 'server') {
          const { fromServers, fromClients } = writeFromServer(stored, given)
          assertRecordFits({ user_id, ...fromServers }, at)
          if (stored) await users.update(stored._id, { ...fromClients, ...dates, fromServers })
          else await users.insert({ ...fields, ...dates, ...place, fromServers })
          return
        }
        const members = writeFromClient(stored, given)
        assertRecordFits({ user_id, ...pickProperties(members) }, at)
        if (stored) await users.update(stored._id, { ...members, ...dates })
        else {
          const addition = { owner: place._project, network }
          usage.assertRoom('edgeUsers', addition)
          await users.insert({ ...fields, ...dates, ...place, ...members })
          usage.recordAddition('edgeUsers', addition)
        }
      })
    },

    saveChoices: async (writer, user_id, given) => {
      const { caller, network } = writer
      await assertRoomBefore('optIns', writer, user_id)
      await store.transaction(async (transaction) => {
        const at = now()
        const optIns = transaction.collection('optIns')
        const place = { _environment: caller.environment._id, user_id }
        const stored = await optIns.get(place)
        const fields = newRecordFields(at, ids)
        const dates = { updatedAt: fields.updatedAt, seenAt: toSeenAt(at) }
        const isServer = caller.keyType === 'server'
        const members = isServer
          ? { choices: omitKeys(stored?.choices ?? {}, given), fromServers: { ...stored?.fromServers, ...given } }
          : { choices: { ...stored?.choices, ...given } }
        assertRecordFits({ user_id, ...(isServer ? members.fromServers : members.choices) }, at)
        if (stored) await optIns.update(stored._id, { ...members, ...dates })
        else {
          const addition = { owner: place._environment, network }
          if (!isServer) usage.assertRoom('optIns', addition)
          await optIns.insert({ ...fields, ...dates, ...place, ...members })
          if (!isServer) usage.recordAddition('optIns', addition)
        }
      })
    }
  }
}

/**
 * Returns the opt-in choices of users that evaluations with server keys use. Unlike an evaluation, this does not
 * prolong the retention of the choices.
 */
export async function readChoices(
  store: Store,
  project: StoredProject,
  environment: string,
  ids: readonly string[]
): Promise<ReadonlyMap<string, OptInChoices>> {
  const choices = new Map<string, OptInChoices>()
  if (!project.settings.optIn.enabled) return choices
  await forEachYielding(ids, async (user_id) => {
    const stored = await store.collection('optIns').get({ _environment: environment, user_id })
    if (stored) choices.set(user_id, effectiveChoices(stored, { keyType: 'server', project }))
  })
  return choices
}

/** Whether evaluations with a key use what client and mobile keys wrote. */
function usesClientWrites({ keyType, project }: Pick<KeyConfig, 'keyType' | 'project'>): boolean {
  return isPublicKeyType(keyType) || project.settings.trustClientWrites === true
}

function effectiveChoices(
  { choices, fromServers }: StoredOptIns,
  caller: Pick<KeyConfig, 'keyType' | 'project'>
): OptInChoices {
  return { ...fromServers, ...(usesClientWrites(caller) ? choices : {}) }
}

function omitKeys(choices: OptInChoices, names: object): OptInChoices {
  return Object.fromEntries(Object.entries(choices).filter(([name]) => !Object.hasOwn(names, name)))
}
