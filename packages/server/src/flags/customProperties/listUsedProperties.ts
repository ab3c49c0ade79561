import type { Operator } from '@burgee/core'
import type { StoredProject } from '../../storage/resources/project.ts'
import type { Store } from '../../storage/store.ts'
import { isOperator } from '../audiences/audienceReferences.ts'

/** Returns the names of custom data that targets and audiences of a project use. */
export async function listUsedProperties(
  store: Store,
  { _id }: Pick<StoredProject, '_id'>
): Promise<ReadonlySet<string>> {
  const inProject = { where: { _project: _id } }
  const audiences = await store.collection('audiences').list(inProject)
  const configurations = await store.collection('configurations').list(inProject)
  const targets = configurations.items.flatMap((configuration) => configuration.targets)
  return new Set([
    ...audiences.items.flatMap(({ filters }) => listDataKeys(filters)),
    ...targets.flatMap(({ audience }) => listDataKeys(audience.filters)),
    ...targets.flatMap(({ bucketingKey }) => bucketingKey ?? [])
  ])
}

/** The names of custom data that an operator uses. */
export function listDataKeys({ filters = [] }: Operator): string[] {
  return filters.flatMap((filter) =>
    isOperator(filter) ? listDataKeys(filter) : 'dataKey' in filter ? String(filter.dataKey) : []
  )
}
