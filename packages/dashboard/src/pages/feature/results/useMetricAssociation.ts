import type { Feature, Metric } from '@burgee/contract/schemas'
import { useWrite } from '../../../api/query.ts'
import { useMissingPermission } from '../../../components/access/useMissingPermission.ts'
import { describeError } from '../../../components/States.tsx'
import { notify } from '../../../components/Toasts.ts'

// What asks for a write may be gone when it ends, since the page then shows other metrics: so promises, which always end.

/** Adds metrics to a feature. */
export function useAddMetric(project: string, feature: Feature) {
  const write = useWrite('createMetricAssociation', ['listMetricAssociations'])
  const add = async (metric: Metric): Promise<void> => {
    await write.mutateAsync({ params: { project }, body: { metric: metric.key, feature: feature.key } })
    notify({ text: `Added ${metric.name} to this feature` })
  }
  return { add, reset: write.reset, isBusy: write.isPending, error: write.error }
}

/** Removes a metric from a feature; the notice can undo it. */
export function useRemoveMetric(project: string, feature: Feature, metric: Metric) {
  const cannotDelete = useMissingPermission('feature:delete', project)
  const write = useWrite('deleteMetricAssociation', ['listMetricAssociations'])
  const { add } = useAddMetric(project, feature)
  const undo = () =>
    void add(metric).catch((error: unknown) => notify({ text: `Could not undo: ${describeError(error)}` }))
  const remove = async (): Promise<void> => {
    try {
      await write.mutateAsync({ params: { project }, query: { metric: metric.key, feature: feature.key } })
      notify({ text: `Removed ${metric.name} from this feature`, onUndo: undo })
    } catch (error) {
      notify({ text: `Not removed: ${describeError(error)}` })
    }
  }
  return { remove, isBusy: write.isPending, reason: cannotDelete }
}
