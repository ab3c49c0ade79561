import { ApiError, listPage } from '@burgee/contract/client'
import type { Call } from '../api/call.ts'
import { formatQuotedList } from '../results/formatQuoted.ts'
import { ToolError } from '../results/toolError.ts'

/** The maximum number of projects to search. */
const MAX_PROJECTS = 20

/**
 * Finds the project of a feature, for a tool without `projectKey`.
 * @throws {ToolError} when none or several of the visible projects have the feature, or when there are too many projects.
 */
export async function findProjectOf(featureKey: string, { client }: Pick<Call, 'client'>): Promise<string> {
  const query = { sortBy: 'key', sortOrder: 'asc', perPage: MAX_PROJECTS } as const
  const { items: projects, count = projects.length } = await listPage(client.listProjects, { query })
  if (count > MAX_PROJECTS) {
    throw new ToolError('PROJECT_ERROR', `no project is selected, and ${count} projects are too many to search`)
  }
  const found = await Promise.all(
    projects.map(async ({ key }) => ((await hasFeature(key, featureKey, client)) ? [key] : []))
  )
  const [project, ...others] = found.flat()
  const name = JSON.stringify(featureKey)
  if (project === undefined) {
    throw new ToolError('RESOURCE_NOT_FOUND', `no project that is visible to this account has a feature ${name}`)
  }
  if (others.length === 0) return project
  throw new ToolError(
    'PROJECT_ERROR',
    `no project is selected, and several have a feature ${name}: ${formatQuotedList(found.flat())}`
  )
}

/** Whether a project has a feature that the caller can read. */
async function hasFeature(project: string, feature: string, client: Call['client']): Promise<boolean> {
  try {
    await client.getFeature({ params: { project, feature } })
    return true
  } catch (error) {
    if (error instanceof ApiError && (error.status === 404 || error.status === 403)) return false
    throw error
  }
}
