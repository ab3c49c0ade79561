import type { AuditLogEntry, Feature } from '@burgee/contract/schemas'
import { call, useRead, useWrite } from '../../api/query.ts'
import { describeActor, type PeopleNames } from '../../components/Actor.tsx'
import { ConfirmDialog } from '../../components/Dialog.tsx'
import { Changes } from '../../components/diff/Changes.tsx'
import { summarize } from '../../components/diff/changeWords.ts'
import type { DiffContext } from '../../components/diff/model.ts'
import { ErrorBanner, Loaded } from '../../components/States.tsx'
import { Time } from '../../components/Time.tsx'
import { notify } from '../../components/Toasts.ts'
import styles from './History.module.css'
import { isRevertible, revertedEntries } from './revertible.ts'

interface Props {
  readonly project: string
  readonly feature: Feature
  readonly entry: AuditLogEntry
  readonly names: PeopleNames
  readonly context: DiffContext
  readonly onClose: () => void
}

/** Reverts an entry and all later ones, after listing them. */
export function RevertDialog({ project, feature, entry, names, context, onClose }: Props) {
  const params = { project, feature: feature._id }
  const later = useRead('getFeatureAudit', { params, query: { startDate: entry.date, perPage: 1000 } })
  const revert = useWrite('revertFeature')
  const reverted = revertedEntries(later.data ?? [], entry._id) ?? [entry]
  const isOne = reverted.length === 1
  const undo = async () => {
    try {
      const [latest] = (await call('getFeatureAudit', { params, query: { perPage: 30 } })).filter(isRevertible)
      if (latest) await revert.mutateAsync({ params: { ...params, entry: latest._id } })
      notify({ text: `Reapplied the changes of ${feature.name}` })
    } catch {
      notify({ text: `Could not reapply the changes of ${feature.name}. Use its history.` })
    }
  }
  const confirm = () =>
    revert.mutate(
      { params: { ...params, entry: entry._id } },
      {
        onSuccess: () => {
          onClose()
          notify({
            text: isOne ? 'The change is reverted' : `${reverted.length} changes are reverted`,
            onUndo: () => void undo()
          })
        }
      }
    )
  return (
    <ConfirmDialog
      isOpen
      onClose={onClose}
      title={isOne ? 'Undo this change' : 'Restore the state before this change'}
      action={isOne ? 'Undo this change' : `Revert ${reverted.length} changes`}
      onConfirm={confirm}
      isBusy={revert.isPending}
      error={revert.error && <ErrorBanner error={revert.error} title="Nothing was changed" />}
    >
      <p>
        {isOne
          ? `Restores ${feature.name} to its state before this change, in all environments.`
          : `Restores ${feature.name} to its state before this change, in all environments. This reverts these changes:`}
      </p>
      <Loaded query={later} title="The later changes could not be loaded">
        {() => (
          <ul className={styles.reverted}>
            {reverted.map((one) => (
              <li key={one._id}>
                <details open={isOne}>
                  <summary>
                    {summarize(one.changes)}
                    <span className={styles.who}>
                      {' '}
                      · <bdi>{describeActor(one, names)}</bdi> · <Time value={one.date} isInControl />
                    </span>
                  </summary>
                  <div className={styles.revertedChanges}>
                    <Changes changes={one.changes} context={context} />
                  </div>
                </details>
              </li>
            ))}
          </ul>
        )}
      </Loaded>
    </ConfirmDialog>
  )
}
