import type { Feature, Metric } from '@burgee/contract/schemas'
import { Plus } from 'lucide-react'
import { type FormEvent, useState } from 'react'
import { useRead } from '../../../api/query.ts'
import { useMissingPermission } from '../../../components/access/useMissingPermission.ts'
import { Button } from '../../../components/Button.tsx'
import { Dialog } from '../../../components/Dialog.tsx'
import { SelectField } from '../../../components/Field.tsx'
import { MetricDialog } from '../../../components/metrics/MetricDialog.tsx'
import { describeMetric } from '../../../components/metrics/metricWords.ts'
import { describeError, ErrorBanner, Loaded } from '../../../components/States.tsx'
import { notify } from '../../../components/Toasts.ts'
import styles from './Results.module.css'
import { useAddMetric } from './useMetricAssociation.ts'

interface Props {
  readonly project: string
  readonly feature: Feature
  /** The metrics that the feature has. */
  readonly metrics: readonly Metric[]
  readonly kind?: 'primary' | 'plain'
}

/** Adds a metric to the feature: one of the project, or a new one. */
export function AddMetricButton({ project, feature, metrics, kind = 'plain' }: Props) {
  const [open, setOpen] = useState<'choose' | 'create'>()
  const cannotWrite = useMissingPermission('feature:write', project)
  const { add, reset, isBusy, error } = useAddMetric(project, feature)
  const close = () => {
    reset()
    setOpen(undefined)
  }
  return (
    <>
      <Button
        kind={kind}
        icon={<Plus size={16} aria-hidden="true" />}
        onClick={() => setOpen('choose')}
        reason={cannotWrite}
      >
        Add metric…
      </Button>
      {open === 'choose' && (
        <ChooseDialog
          project={project}
          known={new Set(metrics.map(({ _id }) => _id))}
          onClose={close}
          onCreate={() => setOpen('create')}
          // The dialog shows the error.
          onChoose={(metric) => void add(metric).then(close, () => undefined)}
          isBusy={isBusy}
          error={error}
        />
      )}
      {open === 'create' && (
        <MetricDialog
          onClose={close}
          onSaved={(metric) =>
            void add(metric).catch((failure: unknown) =>
              notify({ text: `Created ${metric.name}, but could not add it: ${describeError(failure)}` })
            )
          }
        />
      )}
    </>
  )
}

interface ChooseProps {
  readonly project: string
  /** Ids of the metrics that the feature has. */
  readonly known: ReadonlySet<string>
  readonly onClose: () => void
  readonly onCreate: () => void
  readonly onChoose: (metric: Metric) => void
  readonly isBusy: boolean
  readonly error: Error | null
}

function ChooseDialog({ project, known, onClose, onCreate, onChoose, isBusy, error }: ChooseProps) {
  const metrics = useRead('listMetrics', { params: { project }, query: { perPage: 1000 } })
  const [chosen, setChosen] = useState<string>()
  return (
    <Dialog isOpen onClose={onClose} title="Add a metric">
      <Loaded query={metrics} title="The metrics could not be loaded">
        {(all) => {
          const others = all.filter(({ _id }) => !known.has(_id))
          const metric = others.find(({ _id }) => _id === chosen) ?? others[0]
          const submit = (event: FormEvent) => {
            event.preventDefault()
            if (metric && !isBusy) onChoose(metric)
          }
          return (
            <form onSubmit={submit} className={styles.form}>
              {metric ? (
                <SelectField
                  label="Metric"
                  value={metric._id}
                  onChange={setChosen}
                  hint={`${describeMetric(metric)}.`}
                  options={others.map(({ _id, name }) => ({ value: _id, label: name }))}
                />
              ) : (
                <p>
                  {all.length === 0 ? 'The project has no metric yet.' : 'The feature has all metrics of the project.'}
                </p>
              )}
              {error && <ErrorBanner error={error} title="Not added" />}
              <div className={styles.buttons}>
                <Button onClick={onClose}>Cancel</Button>
                <Button onClick={onCreate} kind={metric ? 'plain' : 'primary'}>
                  New metric…
                </Button>
                {metric && (
                  <Button type="submit" kind="primary" isBusy={isBusy}>
                    Add
                  </Button>
                )}
              </div>
            </form>
          )
        }}
      </Loaded>
    </Dialog>
  )
}
