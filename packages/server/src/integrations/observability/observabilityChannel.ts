import { withoutTrailingSlashes } from '@burgee/kit/text'
import type { IdGenerator } from '../../lib/idGenerator.ts'
import type { StoredOutboxMessage } from '../../storage/resources/notification.ts'
import type { Store } from '../../storage/store.ts'
import { type DeliveryChannel, type PreparedMessage, parseReceiver } from '../outbox/deliveryChannel.ts'
import { buildObservabilityMessages, findReportedChanges } from './buildObservabilityMessages.ts'
import { toDeploymentEvent } from './toDeploymentEvent.ts'

interface Dependencies {
  readonly store: Store
  readonly ids: Pick<IdGenerator, 'id'>
}

/** Creates the channel of connected observability systems, which receive changes as deployment events. */
export function createObservabilityChannel({ store, ids }: Dependencies): DeliveryChannel {
  return {
    buildMessages: (change, transaction) => buildObservabilityMessages(change, transaction, ids),
    prepare: (message) => prepare(store, message),
    exists: async (_id) => (await store.collection('observabilityEnvironments').get({ _id })) !== undefined,
    removedBy: ({ collection, before, after }) => {
      return collection === 'observabilityEnvironments' && before && !after ? before._id : undefined
    }
  }
}

/** Returns `undefined` when the system was disconnected, or the project no longer reports to it. */
async function prepare(
  store: Store,
  { receiver, _entry, _project, telling: notification }: StoredOutboxMessage
): Promise<PreparedMessage | undefined> {
  const { id } = parseReceiver(receiver)
  const connection = await store.collection('observabilityEnvironments').get({ _id: id })
  const project = await store.collection('projects').get({ _id: _project })
  const entry = await store.collection('auditEntries').get({ _id: _entry })
  if (!connection || !project || !entry) return undefined
  const { environments } = await findReportedChanges(store, project, connection, entry)
  if (environments.length === 0) return undefined
  const feature = entry._feature && (await store.collection('features').get({ _id: entry._feature }))
  const event = toDeploymentEvent({
    entry,
    notification,
    environments,
    name: feature ? feature.name : notification.key
  })
  const request = {
    url: ingestUrl(connection.environmentUrl),
    headers: { 'content-type': 'application/json', authorization: `Api-Token ${connection.accessToken}` },
    body: JSON.stringify(event)
  }
  const { observabilityEnvironmentId, updatedAt: editedAt } = connection
  const message =
    'sending to an observability system failed; further failures are not logged until it succeeds or is reconnected'
  return { type: 'ready', request, editedAt, onFailure: { message, fields: { observabilityEnvironmentId } } }
}

/** The environment's URL can have a path. */
function ingestUrl(environmentUrl: string): string {
  const { origin, pathname } = new URL(environmentUrl)
  return `${origin}${withoutTrailingSlashes(pathname)}/api/v2/events/ingest`
}
