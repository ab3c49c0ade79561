import type { UserDataRecord } from '@burgee/contract/schemas'
import { omitUndefined } from '@burgee/kit'
import { toIsoString } from '../../lib/time.ts'
import type { EventStore, UserEvent, UserEventsQuery } from '../../storage/events/eventStore.ts'
import type { Store } from '../../storage/store.ts'
import { pickProperties } from './edgeProperties.ts'
import type { UserScope } from './eraseUser.ts'
import { findUserHash } from './userHash.ts'

interface Dependencies {
  readonly store: Store
  readonly eventStore: Pick<EventStore, 'userEvents'>
}

/**
 * Reads everything that is stored about a user of an application in environments of a project. Stops early when the
 * export is not wanted any more.
 */
export async function* exportUser(
  { store, eventStore }: Dependencies,
  { _project, environments, user_id, isWanted }: UserScope & Pick<UserEventsQuery, 'isWanted'>,
  organization: string
): AsyncGenerator<UserDataRecord, void> {
  yield { type: 'user', user_id, ...omitUndefined({ userHash: await findUserHash(store, organization, user_id) }) }
  const edgeUser = await store.collection('edgeUsers').get({ _project, user_id })
  if (edgeUser) {
    const { createdAt, updatedAt, fromServers, ...stored } = edgeUser
    const dates = { createdAt, updatedAt }
    const own = pickProperties(stored)
    if (fromServers) yield { type: 'edgeData', writtenBy: 'server', data: { ...fromServers }, ...dates }
    if (!fromServers || hasContent(own)) yield { type: 'edgeData', writtenBy: 'client', data: { ...own }, ...dates }
  }
  for (const environment of environments) {
    const optIns = await store.collection('optIns').get({ _environment: environment, user_id })
    if (!optIns) continue
    const { createdAt, updatedAt, choices, fromServers } = optIns
    const common = { type: 'optIns', environment, createdAt, updatedAt } as const
    if (fromServers) yield { ...common, writtenBy: 'server', choices: fromServers }
    if (!fromServers || hasContent(choices)) yield { ...common, writtenBy: 'client', choices }
  }
  const where = { _project, svcUserId: user_id }
  const overrides = await store.collection('overrides').list({ where, oneOf: { _environment: environments } })
  for (const { _feature, _environment, _variation, idp_user } of overrides.items) {
    yield { type: 'override', environment: _environment, feature: _feature, variation: _variation, idp_user }
  }
  for (const { idp_user } of (await store.collection('profiles').list({ where })).items) {
    yield { type: 'profile', idp_user }
  }
  for await (const event of eventStore.userEvents({ environments, user_id, ...omitUndefined({ isWanted }) }))
    yield toRecord(event)
}

function toRecord(record: UserEvent): UserDataRecord {
  const common = { environment: record.environment, date: toIsoString(record.at) }
  if (record.type === 'exposure') return { ...common, type: 'exposure', data: { ...record.exposure } }
  return { ...common, type: 'event', data: { user: record.user, event: record.event } }
}

function hasContent(data: object): boolean {
  return Object.values(data).some((value) => typeof value !== 'object' || Object.keys(value ?? {}).length > 0)
}
