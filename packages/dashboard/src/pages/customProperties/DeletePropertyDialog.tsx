import type { CustomProperty } from '@burgee/contract/schemas'
import { useParams } from '@tanstack/react-router'
import { useWrite } from '../../api/query.ts'
import { ConfirmDialog } from '../../components/Dialog.tsx'
import { ErrorBanner } from '../../components/States.tsx'
import { notify } from '../../components/Toasts.ts'

interface Props {
  readonly property: CustomProperty
  readonly onClose: () => void
}

/** Asks before a custom property is deleted. */
export function DeletePropertyDialog({ property, onClose }: Props) {
  const { project = '' } = useParams({ strict: false })
  const remove = useWrite('deleteCustomProperty', ['listCustomProperties'])
  return (
    <ConfirmDialog
      isOpen
      onClose={onClose}
      title={`Delete ${property.name.slice(0, 80)}?`}
      action="Delete custom property"
      isDangerous
      typed={property.key}
      isBusy={remove.isPending}
      error={remove.error && <ErrorBanner error={remove.error} />}
      onConfirm={() =>
        remove.mutate(
          { params: { project, key: property.key } },
          {
            onSuccess: () => {
              notify({ text: `Deleted ${property.key}` })
              onClose()
            }
          }
        )
      }
    >
      <p>
        This cannot be undone.{' '}
        {property.hasUsage ? 'Targets and audiences that use it keep working.' : 'No target or audience uses it.'}
      </p>
    </ConfirmDialog>
  )
}
