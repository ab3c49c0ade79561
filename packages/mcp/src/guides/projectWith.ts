import { ApiError, listPage } from '@burgee/contract/client'
import { ToolError } from '../answers/toolError.ts'
import type { Call } from '../api/call.ts'
import { quotedList } from '../quoted.ts'

/** How many projects are looked through. */
const MOST = 20

/**
 * The key of the project that has a feature, for a call that can name none: the only one of those that the caller sees.
 * @throws {ToolError} when none has it, or several, or there are too many to look through.
 */
export async function projectWith(featureKey: string, { client }: Pick<Call, 'client'>): Promise<string> {
  const query = { sortBy: 'key', sortOrder: 'asc', perPage: MOST } as const
  const { items: projects, count = projects.length } = await listPage(client.listProjects, { query })
  if (count > MOST) {
    throw new ToolError('PROJECT_ERROR', `no project is chosen, and ${count} are too many to look for the feature in`)
  }
  const found = await Promise.all(projects.map(async ({ key }) => ((await has(key, featureKey, client)) ? [key] : [])))
  const [project, ...others] = found.flat()
  const name = JSON.stringify(featureKey)
  if (project === undefined) {
    throw new ToolError('RESOURCE_NOT_FOUND', `no project that this account sees has a feature ${name}`)
  }
  if (others.length === 0) return project
  throw new ToolError(
    'PROJECT_ERROR',
    `no project is chosen, and several have a feature ${name}: ${quotedList(found.flat())}`
  )
}

/** Whether a project has a feature that the caller may read. */
async function has(project: string, feature: string, client: Call['client']): Promise<boolean> {
  try {
    await client.getFeature({ params: { project, feature } })
    return true
  } catch (error) {
    if (error instanceof ApiError && (error.status === 404 || error.status === 403)) return false
    throw error
  }
}
