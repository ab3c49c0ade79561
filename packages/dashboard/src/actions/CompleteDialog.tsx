import { ApiError } from '@burgee/contract/client'
import { useState } from 'react'
import { useEnvironments } from '../api/useEnvironments.ts'
import { ConfirmDialog } from '../components/Dialog.tsx'
import { SelectField } from '../components/Field.tsx'
import { ErrorBanner } from '../components/States.tsx'
import styles from './Actions.module.css'
import { ChangePreview } from './ChangePreview.tsx'
import { completionUpdate, proposedVariation } from './completion.ts'
import { type ActionProps, useStatusChange } from './useStatusChange.ts'

/** Asks for the variation that everyone gets from now on, and shows the affected users. `proposed` is the key of one. */
export function CompleteDialog(props: ActionProps & { readonly proposed?: string }) {
  const { isOpen, project, feature, proposed } = props
  const [chosen, setChosen] = useState<string>()
  const { change, close, isBusy, error } = useStatusChange(props, `Completed ${feature.name}`)
  // The message names the places. Who confirms again has read it.
  const isRead = error instanceof ApiError && error.errorType === 'ERR_CODE_USAGES'
  const environmentsQuery = useEnvironments(project)
  const all = environmentsQuery.data ?? []
  const variation = chosen ?? proposed ?? proposedVariation(feature, all, Date.now())
  const active = new Set(
    feature.configurations.filter(({ status }) => status === 'active').map(({ _environment }) => _environment)
  )
  const environments = all.filter(({ _id }) => active.has(_id))
  return (
    <ConfirmDialog
      isOpen={isOpen}
      onClose={close}
      title={`Complete ${feature.name}`}
      action={isRead ? 'Complete anyway' : 'Complete'}
      typed={feature.key}
      // The proposed variation depends on the environments.
      isBusy={isBusy || environmentsQuery.isLoading}
      error={error && <ErrorBanner error={error} title="Not completed" />}
      onConfirm={() =>
        change({ status: 'complete', staticVariation: variation, ...(isRead && { ignoreCodeUsages: true }) })
      }
    >
      <p>
        Everyone gets one variation wherever the feature is on. Its targets are replaced and can no longer be changed.
        Undo, in the notice or in History, restores them; reactivating the feature later does not.
      </p>
      <SelectField
        label="Everyone gets"
        value={variation}
        onChange={setChosen}
        options={feature.variations.map(({ key, name }) => ({ value: key, label: name }))}
      />
      <section className={styles.part}>
        <h3>Affected users</h3>
        {environments.length === 0 ? (
          <p>None: the feature is off in all environments.</p>
        ) : (
          isOpen && (
            <ChangePreview
              project={project}
              feature={feature}
              change={{ update: completionUpdate(feature, variation) }}
              environments={environments}
              isSaving={isBusy}
            />
          )
        )}
      </section>
    </ConfirmDialog>
  )
}
