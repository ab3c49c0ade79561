import { findByKeyOrId } from '@burgee/kit'
import { formatValue } from '@burgee/kit/text'
import { badRequest } from '../../lib/errors.ts'
import type { StoredProject } from '../../storage/resources/project.ts'
import type { Store } from '../../storage/store.ts'
import type { SettingsInput } from './mergeSettings.ts'

/**
 * Asserts that new entries of the environment map name environments of the project and connected observability systems.
 * Existing entries are accepted, so that unchanged settings can be sent back.
 * @throws {HttpError} 400 with every unknown reference.
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
  const issues = added.flatMap(([reference, system]) => {
    if (!findByKeyOrId(environments.items, reference)) {
      return [`${NAME} should name environments of the project by key or id, got ${formatValue(reference)}`]
    }
    if (connected.has(system)) return []
    return [
      `${NAME}.${reference} should be the observabilityEnvironmentId of a connected system, got ${formatValue(system)}`
    ]
  })
  if (issues.length > 0) throw badRequest(issues)
}

const NAME = 'settings.observability.environmentMap'
