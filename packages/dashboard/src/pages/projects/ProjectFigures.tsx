import type { Project } from '@burgee/contract/schemas'
import { Link } from '@tanstack/react-router'
import { type OperationId, type Request, useRead, useReadPage } from '../../api/query.ts'
import { useMissingPermission } from '../../components/access/useMissingPermission.ts'
import { useWaitingCount } from '../../components/feature/useWaitingReviews.ts'
import { Time } from '../../components/Time.tsx'

interface Props {
  readonly org: string
  readonly project: Project
}

/** How many features of a project are active. */
export function FeatureCount({ project: { key } }: Pick<Props, 'project'>) {
  const count = useCount('listFeatureSummaries', { params: { project: key }, query: { status: 'active', perPage: 1 } })
  return count === undefined ? NONE : count.toLocaleString('en')
}

/** How many change requests of a project wait for the person. */
export function WaitingCount({ org, project: { key } }: Props) {
  const count = useWaitingCount(key)
  if (count === 0) return NONE
  return (
    <Link
      to="/o/$org/p/$project/change-requests"
      params={{ org, project: key }}
      search={{ status: 'pending', reviewer: 'me' } as never}
    >
      {count}
    </Link>
  )
}

/** How many features of a project are stale. */
export function StaleCount({ org, project: { key } }: Props) {
  const count = useCount('getStaleFeatures', { params: { key }, query: { perPage: 1 } })
  if (!count) return NONE
  return (
    <Link to="/o/$org/p/$project/stale" params={{ org, project: key }}>
      {count.toLocaleString('en')}
    </Link>
  )
}

/** When a project or anything in it was changed last. Without the permission to read the log, the project itself. */
export function LastChange({ project: { key, updatedAt } }: Pick<Props, 'project'>) {
  const cannotRead = useMissingPermission('organization:read:settings')
  const { data, isLoading } = useRead(
    'listAuditEntries',
    { query: { project: key, perPage: 1 } },
    { enabled: cannotRead === undefined }
  )
  return isLoading ? NONE : <Time value={data?.[0]?.date ?? updatedAt} />
}

/** Shown for zero, and for what is not known. */
const NONE = '–'

function useCount<I extends OperationId>(id: I, request: Request<I>): number | undefined {
  return useReadPage(id, request).data?.count
}
