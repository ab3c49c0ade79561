import type { Metric } from '@burgee/contract/schemas'
import { useParams } from '@tanstack/react-router'
import { ifMatch, useRead, useWrite } from '../../api/query.ts'
import { ConfirmDialog } from '../../components/Dialog.tsx'
import { useNavigateFromHere } from '../../components/links/useNavigateFromHere.ts'
import { ErrorBanner } from '../../components/States.tsx'
import { notify } from '../../components/Toasts.ts'

interface Props {
  readonly metric: Metric
  readonly onClose: () => void
}

/** Asks before a metric is deleted, and says which features lose it. */
export function DeleteMetricDialog({ metric, onClose }: Props) {
  const { org = '', project = '' } = useParams({ strict: false })
  const navigate = useNavigateFromHere()
  const remove = useWrite('deleteMetric', ['listMetrics', 'listMetricAssociations'])
  const usage = useRead('listMetricAssociations', { params: { project }, query: { metric: metric._id } }).data ?? []
  const confirm = () =>
    remove.mutate(
      { params: { project, key: metric._id }, headers: ifMatch(metric) },
      {
        onSuccess: () => {
          notify({ text: `Deleted metric ${metric.key}` })
          void navigate({ to: '/o/$org/p/$project/metrics', params: { org, project } })
        }
      }
    )
  return (
    <ConfirmDialog
      isOpen
      onClose={onClose}
      title={`Delete ${metric.name.slice(0, 80)}?`}
      action="Delete metric"
      isDangerous
      typed={metric.key}
      isBusy={remove.isPending}
      error={remove.error && <ErrorBanner error={remove.error} title="Not deleted" />}
      onConfirm={confirm}
    >
      <p>This cannot be undone. The events are kept, so a new metric with the same event has the same results.</p>
      {usage.length > 0 && (
        <>
          <p>
            {usage.length === 1
              ? 'It is removed from this feature:'
              : `It is removed from these ${usage.length} features:`}
          </p>
          <ul>
            {usage.map(({ feature }) => (
              <li key={feature._id}>
                <bdi>{feature.name}</bdi>
              </li>
            ))}
          </ul>
        </>
      )}
    </ConfirmDialog>
  )
}
