import type { StoredAuditEntry, StoredWebhook } from '../../storage/resources.ts'
import { featureIdOf, isChangeEvent } from '../outbox/buildMessage.ts'

/** Which changes of an entry a webhook is told of, by their places in it: those it asks for, of its feature, in its environments. */
export function findMatchingChanges(
  { _feature, _environments, events }: Pick<StoredWebhook, '_feature' | '_environments' | 'events'>,
  entry: Pick<StoredAuditEntry, '_feature' | 'changes'>
): number[] {
  const feature = featureIdOf(entry)
  if (feature === undefined || (_feature !== undefined && feature !== _feature)) return []
  return entry.changes.flatMap(({ type, _environments: concerned }, place) => {
    if (!isChangeEvent(type) || !events.includes(type)) return []
    // A change that names no environment concerns all of them.
    const isElsewhere = _environments.length > 0 && concerned?.some((id) => _environments.includes(id)) === false
    return isElsewhere ? [] : [place]
  })
}
