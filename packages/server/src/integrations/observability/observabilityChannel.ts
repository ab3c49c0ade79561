import type { IdGenerator } from '../../lib/idGenerator.ts'
import type { StoredOutboxMessage } from '../../storage/resources.ts'
import type { Store } from '../../storage/store.ts'
import { type DeliveryChannel, type PreparedMessage, parseReceiver } from '../outbox/deliveryChannel.ts'
import { buildObservabilityMessages } from './buildObservabilityMessages.ts'
import { findReportedChanges } from './findReportedChanges.ts'
import { toDeploymentEvent } from './toDeploymentEvent.ts'

interface Dependencies {
  readonly store: Store
  readonly ids: Pick<IdGenerator, 'id'>
}

/** The observability systems as the outbox knows them: which are told of a change, and what each attempt sends. */
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

/** Nothing, when by now the system is disconnected, or the project does not report to it any more. */
async function prepare(
  store: Store,
  { receiver, _entry, _project, telling }: StoredOutboxMessage
): Promise<PreparedMessage | undefined> {
  const { id } = parseReceiver(receiver)
  const observed = await store.collection('observabilityEnvironments').get({ _id: id })
  const project = await store.collection('projects').get({ _id: _project })
  const entry = await store.collection('auditEntries').get({ _id: _entry })
  if (!observed || !project || !entry) return undefined
  const { environments } = await findReportedChanges(store, project, observed, entry)
  if (environments.length === 0) return undefined
  const feature = entry._feature && (await store.collection('features').get({ _id: entry._feature }))
  const event = toDeploymentEvent({ entry, telling, environments, name: feature ? feature.name : telling.key })
  const request = {
    url: ingestAddress(observed.environmentUrl),
    headers: { 'content-type': 'application/json', authorization: `Api-Token ${observed.accessToken}` },
    body: JSON.stringify(event)
  }
  const { observabilityEnvironmentId, updatedAt: editedAt } = observed
  const words = 'an observability system failed; this is not told again until it succeeds or is connected anew'
  return { type: 'ready', request, editedAt, onFailure: { words, members: { observabilityEnvironmentId } } }
}

/** Where an environment takes events: below its address, which can have a path of its own. */
function ingestAddress(environmentUrl: string): string {
  const { origin, pathname } = new URL(environmentUrl)
  return `${origin}${pathname.replace(/\/+$/, '')}/api/v2/events/ingest`
}
