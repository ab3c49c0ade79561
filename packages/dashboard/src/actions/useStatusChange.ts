import type { Feature, UpdateFeatureStatus } from '@burgee/contract/schemas'
import { ifMatch, useWrite } from '../api/query.ts'
import { notifyChange } from './featureUndo.ts'

/** The props of a dialog about a feature. */
export interface ActionProps {
  readonly isOpen: boolean
  readonly onClose: () => void
  readonly project: string
  readonly feature: Feature
}

/** Changes the status of a feature, closes the dialog and offers to undo the change. */
export function useStatusChange({ project, feature, onClose }: ActionProps, text: string) {
  const write = useWrite('updateFeatureStatus')
  const params = { project, feature: feature.key }
  const change = (body: UpdateFeatureStatus) =>
    write.mutate(
      { params, headers: ifMatch(feature), body },
      {
        onSuccess: (after) => {
          onClose()
          notifyChange({ text, params, before: feature, after })
        }
      }
    )
  const close = () => {
    write.reset()
    onClose()
  }
  return { change, close, isBusy: write.isPending, error: write.error }
}
