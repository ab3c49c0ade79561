import { formatValue } from '@burgee/kit/text'
import { findByKeyOrId } from '../../access/lookup.ts'
import { badRequest } from '../../lib/errors.ts'
import type { StoredProject } from '../../storage/resources.ts'
import type { Store } from '../../storage/store.ts'
import type { SettingsInput } from './mergeSettings.ts'

/**
 * Refuses settings that map what is no environment of the project, or to no connected observability system. What is mapped so already stays:
 * it was right once, and whoever gives settings back as they are changes nothing.
 * @throws {ApiError} 400 that names everything that is not there.
 */
export async function assertValidEnvironmentMap(
  store: Store,
  { _id: _project, _organization, settings }: Pick<StoredProject, '_id' | '_organization' | 'settings'>,
  given: SettingsInput | undefined
): Promise<void> {
  const map = given && 'observability' in given ? given.observability?.environmentMap : undefined
  const kept = new Map(Object.entries(settings.observability.environmentMap))
  const added = Object.entries(map ?? {}).filter(([reference, system]) => kept.get(reference) !== system)
  if (added.length === 0) return
  const environments = await store.collection('environments').list({ where: { _project } })
  const systems = await store.collection('observabilityEnvironments').list({ where: { _organization } })
  const connected = new Set(systems.items.map(({ observabilityEnvironmentId }) => observabilityEnvironmentId))
  const mistakes = added.flatMap(([reference, system]) => {
    if (!findByKeyOrId(environments.items, reference)) {
      return [`${NAME} should name environments of the project by key or id, got ${formatValue(reference)}`]
    }
    if (connected.has(system)) return []
    return [
      `${NAME}.${reference} should be the observabilityEnvironmentId of a connected system, got ${formatValue(system)}`
    ]
  })
  if (mistakes.length > 0) throw badRequest(mistakes, 'invalid_body')
}

const NAME = 'settings.observability.environmentMap'
