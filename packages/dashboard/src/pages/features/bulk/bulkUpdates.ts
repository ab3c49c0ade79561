import type { ChangeItem, UpdateFeatures } from '@burgee/contract/schemas'
import { type UseQueryResult, useQuery, useQueryClient } from '@tanstack/react-query'
import { call } from '../../../api/query.ts'
import { refetchAfterWrite } from '../../../api/refetch.ts'
import { useSingleFlight } from '../../../api/useSingleFlight.ts'

/** The most features of one request. */
const MAX_FEATURES = 100

/** What a change of several features would do to each. */
export function useBulkPreview(
  project: string,
  update: UpdateFeatures | undefined
): UseQueryResult<readonly ChangeItem[]> {
  return useQuery({
    queryKey: ['updateFeatures', project, update],
    queryFn: () => (update ? send(project, { ...update, dryRun: true }) : []),
    enabled: update !== undefined,
    staleTime: 0
  })
}

/** Makes the same change in several features. Afterwards all reads are requested again. */
export function useBulkUpdate(project: string) {
  const client = useQueryClient()
  return useSingleFlight({
    mutationFn: (update: UpdateFeatures) => send(project, update),
    // After a failure too: the requests before it have changed features. The preview stays that of before.
    onSettled: () => refetchAfterWrite(client, { predicate: ({ queryKey: [id] }) => id !== 'updateFeatures' })
  })
}

/** Sends as many requests as the features need, one after the other. */
async function send(project: string, update: UpdateFeatures): Promise<readonly ChangeItem[]> {
  const items: ChangeItem[] = []
  for (let start = 0; start < update.features.length; start += MAX_FEATURES) {
    const features = update.features.slice(start, start + MAX_FEATURES)
    const report = await call('updateFeatures', { params: { project }, body: { ...update, features } })
    items.push(...report.items)
  }
  return items
}
