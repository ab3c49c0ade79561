import type { Feature, Metric } from '@burgee/contract/schemas'
import { useWrite } from '../../../api/query.ts'
import { usePermission } from '../../../api/session.ts'
import { describeError } from '../../../parts/States.tsx'
import { notify } from '../../../parts/Toasts.ts'

/** Takes a metric off a feature; the notice takes that back. */
export function useRemoveMetric(project: string, feature: Feature, metric: Metric) {
  const mayDelete = usePermission('feature:delete', project)
  const add = useWrite('createMetricAssociation', ['listMetricAssociations'])
  const write = useWrite('deleteMetricAssociation', ['listMetricAssociations'])
  const pair = { metric: metric.key, feature: feature.key }
  const undo = () =>
    add.mutate(
      { params: { project }, body: pair },
      { onError: (error) => notify({ text: `Not taken back: ${describeError(error)}` }) }
    )
  const remove = () =>
    write.mutate(
      { params: { project }, query: pair },
      {
        onSuccess: () => notify({ text: `${metric.name} removed from this feature`, onUndo: undo }),
        onError: (error) => notify({ text: `Not removed: ${describeError(error)}` })
      }
    )
  return { remove, isBusy: write.isPending, reason: mayDelete ? undefined : 'needs the permission to delete features' }
}
