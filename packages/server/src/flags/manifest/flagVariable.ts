import { notFound } from '../../lib/errors.ts'
import type { StoredFeature, StoredVariable } from '../../storage/resources/feature.ts'
import type { StoredProject } from '../../storage/resources/project.ts'
import type { Store } from '../../storage/store.ts'

/** The variable of a flag, with its feature. */
export interface FlagVariable {
  readonly variable: StoredVariable
  readonly feature: StoredFeature | undefined
}

/** Returns the variable with this key, if there is one. */
export async function findFlagVariable(
  store: Store,
  { _id: _project }: StoredProject,
  key: string
): Promise<FlagVariable | undefined> {
  const variable = await store.collection('variables').get({ _project, key })
  if (!variable) return undefined
  const feature = variable._feature ? await store.collection('features').get({ _id: variable._feature }) : undefined
  return { variable, feature }
}

/** Returns the variable with this key. @throws {HttpError} 404 */
export async function getFlagVariable(store: Store, project: StoredProject, key: string): Promise<FlagVariable> {
  const found = await findFlagVariable(store, project, key)
  if (!found) throw notFound(`Flag "${key}" was not found.`)
  return found
}
