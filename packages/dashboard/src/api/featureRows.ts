import { listPage } from '@burgee/contract/client'
import type { FeatureListItem } from '@burgee/contract/schemas'
import { type UseQueryResult, useQuery } from '@tanstack/react-query'
import { call } from './query.ts'

const PER_PAGE = 1000

/** All features of a project, newest first. Most projects fit into one response. */
export function useFeatureRows(project: string): UseQueryResult<readonly FeatureListItem[]> {
  return useQuery({
    queryKey: ['listFeatureSummaries', { params: { project } }],
    queryFn: () => listAll(project)
  })
}

async function listAll(project: string): Promise<readonly FeatureListItem[]> {
  const rows = new Map<string, FeatureListItem>()
  for (let page = 1; ; page++) {
    const request = { params: { project }, query: { page, perPage: PER_PAGE } }
    const { items, count } = await listPage((each: typeof request) => call('listFeatureSummaries', each), request)
    // A feature that is created meanwhile moves others to the next page.
    for (const item of items) rows.set(item._id, item)
    if (items.length < PER_PAGE || page * PER_PAGE >= count) return [...rows.values()]
  }
}
