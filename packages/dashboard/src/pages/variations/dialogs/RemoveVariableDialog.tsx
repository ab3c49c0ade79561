import { revisionOf } from '@burgee/contract/client'
import type { Feature, Variable } from '@burgee/contract/schemas'
import { useParams } from '@tanstack/react-router'
import { ifMatchRevision, useWrite } from '../../../api/query.ts'
import { ConfirmDialog } from '../../../components/Dialog.tsx'
import { ErrorBanner } from '../../../components/States.tsx'
import { useSavedNotice } from '../useSavedNotice.ts'

interface Props {
  readonly feature: Feature
  readonly variable: Variable
  readonly onClose: () => void
}

/** Removes a variable from its feature immediately. */
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
      title={`Remove ${variable.key} from the feature?`}
      action="Remove variable"
      isDangerous
      isBusy={save.isPending}
      typed={variable.key}
      onConfirm={remove}
      error={save.error && <ErrorBanner error={save.error} />}
    >
      <p>
        Its values in all variations are deleted. Applications that read it use the code’s default. The variable itself
        stays in the project.
      </p>
    </ConfirmDialog>
  )
}
