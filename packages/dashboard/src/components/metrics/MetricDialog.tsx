import type { Metric } from '@burgee/contract/schemas'
import { useQueryClient } from '@tanstack/react-query'
import { useParams } from '@tanstack/react-router'
import { useState } from 'react'
import { isConflict } from '../../api/issues.ts'
import { ifMatch, useWrite } from '../../api/query.ts'
import { refetchAfterWrite } from '../../api/refetch.ts'
import { FormDialog } from '../forms/FormDialog.tsx'
import { describeError } from '../States.tsx'
import { notify } from '../Toasts.ts'
import { MetricFields } from './MetricFields.tsx'
import { changedMetricMembers, type MetricForm, toMetricBody, toMetricForm } from './metricForm.ts'

interface Props {
  /** The metric to change; a new one without it. */
  readonly metric?: Metric
  readonly onClose: () => void
  /** Gets the saved metric, and the one before it; also when a change is undone. */
  readonly onSaved?: (metric: Metric, before?: Metric) => void
}

const fields = ['name', 'key', 'description', 'event']

/** Creates a metric, or changes one. */
export function MetricDialog({ metric, onClose, onSaved }: Props) {
  const [edits, setEdits] = useState<Partial<MetricForm>>({})
  const done = (saved: Metric, before?: Metric) => {
    onClose()
    onSaved?.(saved, before)
  }
  const create = useCreate((created) => done(created))
  const update = useUpdate(done, onSaved)
  const { isPending, error } = metric ? update : create
  // What was not edited follows the saved metric, so a conflict shows what another person saved.
  const form = { ...toMetricForm(metric), ...edits }
  const submit = () => {
    if (metric) update.save(metric, form)
    else create.save(form)
  }
  return (
    <FormDialog
      onClose={onClose}
      title={metric ? `Change ${metric.name.slice(0, 80)}` : 'New metric'}
      action={metric ? 'Save metric' : 'Create metric'}
      onSubmit={submit}
      isBusy={isPending}
      error={error}
      fields={fields}
    >
      <MetricFields
        form={form}
        isNew={metric === undefined}
        onEdit={(edit) => setEdits({ ...edits, ...edit })}
        error={error}
      />
    </FormDialog>
  )
}

function useCreate(onSuccess: (metric: Metric) => void) {
  const { project = '' } = useParams({ strict: false })
  const { mutate, isPending, error } = useWrite('createMetric', ['listMetrics'])
  const save = (form: MetricForm) => mutate({ params: { project }, body: toMetricBody(form) }, { onSuccess })
  return { save, isPending, error }
}

function useUpdate(onSuccess: (metric: Metric, before: Metric) => void, onUndone: Props['onSaved']) {
  const { project = '' } = useParams({ strict: false })
  const client = useQueryClient()
  // Figures depend on the definition, so everything is read again.
  const { mutate, mutateAsync, isPending, error } = useWrite('updateMetric')
  const save = (metric: Metric, form: MetricForm) => {
    const params = { project, key: metric._id }
    const before = toMetricForm(metric)
    // The promise settles even after the dialog is closed.
    const undo = async (saved: Metric): Promise<void> => {
      try {
        const undone = await mutateAsync({ params, headers: ifMatch(saved), body: changedMetricMembers(form, before) })
        onUndone?.(undone, saved)
        notify({ text: 'Undone' })
      } catch (failure) {
        notify({ text: `Could not undo: ${describeError(failure)}` })
      }
    }
    mutate(
      { params, headers: ifMatch(metric), body: changedMetricMembers(before, form) },
      {
        onError: (failure) => {
          if (isConflict(failure)) void refetchAfterWrite(client, { queryKey: ['getMetric'] })
        },
        onSuccess: (saved) => {
          notify({ text: 'Saved the metric', onUndo: () => void undo(saved) })
          onSuccess(saved, metric)
        }
      }
    )
  }
  return { save, isPending, error }
}
