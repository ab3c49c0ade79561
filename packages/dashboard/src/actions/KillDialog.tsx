import type { Feature } from '@burgee/contract/schemas'
import { useWrite } from '../api/query.ts'
import { ConfirmDialog } from '../parts/Dialog.tsx'
import { ErrorBanner } from '../parts/States.tsx'
import { notifyChange } from './featureUndo.ts'

interface Props {
  readonly isOpen: boolean
  readonly onClose: () => void
  readonly project: string
  readonly feature: Pick<Feature, 'key' | 'name'>
}

/** Turns a feature off in all environments at once, after its key is typed. The toast takes it back. */
export function KillDialog({ isOpen, onClose, project, feature }: Props) {
  const kill = useWrite('killFeature')
  const params = { project, feature: feature.key }
  const close = () => {
    kill.reset()
    onClose()
  }
  const confirm = () =>
    kill.mutate(
      { params },
      {
        onSuccess: (after) => {
          onClose()
          notifyChange({ text: `Killed ${feature.key}: off in all environments`, params, before: feature, after })
        }
      }
    )
  return (
    <ConfirmDialog
      isOpen={isOpen}
      onClose={close}
      title="Kill this feature"
      action="Turn off everywhere"
      typed={feature.key}
      isDangerous
      isBusy={kill.isPending}
      onConfirm={confirm}
      error={kill.error && <ErrorBanner error={kill.error} title="Not killed" />}
    >
      <p>
        <bdi>{feature.name}</bdi> is turned off in all environments at once, including protected ones. Applications use
        the defaults in their code.
      </p>
      <p>This requires no approval. Targets are kept, so you can undo it or turn the feature on again.</p>
    </ConfirmDialog>
  )
}
