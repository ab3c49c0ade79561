import { ApiError } from '@burgee/contract/client'
import { isEqual, valueAt } from '../document/members.ts'
import type { Resource } from '../document/projectDocument.ts'
import type { ApplyContext } from './applyChange.ts'
import type { ResourceChange } from './createPlan.ts'
import { toAudience, toFeature, toMetric, toProperty, toVariable } from './readProject.ts'

/** Whether a resource is as a change wants it, except for its metrics. */
export async function isMade(change: ResourceChange, context: ApplyContext): Promise<boolean> {
  const { action, members } = change
  const resource = await readResource(change, context)
  if (action === 'delete' || !resource) return action === 'delete' && !resource
  if (action === 'archive') return resource.status === 'archived'
  return members.every(({ path, after }) => path[0] === 'metrics' || isEqual(valueAt(resource, path), after))
}

/** Returns a resource as it is now, or undefined if there is none. */
async function readResource(
  { section, key }: ResourceChange,
  { session: { client }, server }: ApplyContext
): Promise<Resource | undefined> {
  const params = { project: server.key, key }
  try {
    switch (section) {
      case 'customProperties':
        return toProperty(await client.getCustomProperty({ params }))
      case 'audiences':
        return toAudience(await client.getAudience({ params }), server.references)
      case 'variables': {
        const variable = await client.getVariable({ params })
        return { ...toVariable(variable), status: variable.status }
      }
      case 'metrics':
        return toMetric(await client.getMetric({ params }))
      case 'features':
        return toFeature(await client.getFeature({ params: { project: server.key, feature: key } }), server.references)
    }
  } catch (error) {
    if (error instanceof ApiError && error.status === 404) return undefined
    throw error
  }
}
