import { revisionOf } from '@burgee/contract/client'
import type { Feature, Variable } from '@burgee/contract/schemas'
import { useParams } from '@tanstack/react-router'
import { ifMatchRevision, useWrite } from '../../../api/query.ts'
import { ConfirmDialog } from '../../../parts/Dialog.tsx'
import { ErrorBanner } from '../../../parts/States.tsx'
import { useSavedNotice } from '../useSavedNotice.ts'

interface Props {
  readonly feature: Feature
  readonly variable: Variable
  readonly onClose: () => void
}

/** Takes a variable out of its feature at once. */
export function RemoveVariableDialog({ feature, variable, onClose }: Props) {
  const { project = '' } = useParams({ strict: false })
  const save = useWrite('updateFeature')
  const noticeSaved = useSavedNotice(feature)
  const remove = () => {
    const variables = feature.variables.flatMap(({ _id, key, type }) => (_id === variable._id ? [] : [{ key, type }]))
    const revision = revisionOf(feature)
    save.mutate(
      {
        params: { project, feature: feature.key },
        headers: ifMatchRevision(revision),
        body: { variables }
      },
      {
        onSuccess: (saved) => {
          noticeSaved(saved, `${variable.key} is no longer part of the feature`)
          onClose()
        }
      }
    )
  }
  return (
    <ConfirmDialog
      isOpen
      onClose={onClose}
      title={`Take ${variable.key} out of the feature?`}
      action="Take out"
      isDangerous
      isBusy={save.isPending}
      typed={variable.key}
      onConfirm={remove}
      error={save.error && <ErrorBanner error={save.error} />}
    >
      <p>
        Its values in all variations go. Applications that read it get the default value of their code. The variable
        itself stays in the project.
      </p>
    </ConfirmDialog>
  )
}
