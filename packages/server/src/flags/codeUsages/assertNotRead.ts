import { refused } from '../../access/permissions/managementError.ts'
import type { StoredProject } from '../../storage/resources/project.ts'
import type { Store } from '../../storage/store.ts'
import type { FeatureState } from '../features/rules/model/featureState.ts'
import { readCurrentScans } from './currentScans.ts'

/**
 * Asserts that no code reads variables of a feature, as far as the last scans know. Tests do not count.
 * @throws {HttpError} 409 with the places.
 */
export async function assertNotRead(
  store: Store,
  project: StoredProject,
  { feature, variables }: Pick<FeatureState, 'feature' | 'variables'>
): Promise<void> {
  if (project.settings.lifeCycle.disableCodeRefChecks) return
  const keys = new Set(variables.map(({ key }) => key))
  const places = (await readCurrentScans(store, project)).flatMap(({ repo, branch, variables: read }) =>
    read
      .filter(({ key }) => keys.has(key))
      .flatMap(({ references }) => references)
      .filter(({ isTest }) => isTest !== true)
      .map(({ fileName, lineNumbers }) => `${fileName} (line ${lineNumbers.start}) in ${repo} (${branch})`)
  )
  if (places.length === 0) return
  const [shown, others] = [places.slice(0, MAX_SHOWN), places.length - MAX_SHOWN]
  const list = `${shown.join(', ')}${others > 0 ? ` and ${others} more` : ''}`
  throw refused(
    'ERR_CODE_USAGES',
    `code still reads variables of feature "${feature.key}": ${list}. Remove these reads and scan again, or complete it with ignoreCodeUsages: true`
  )
}

/** How many places the message names. */
const MAX_SHOWN = 5
