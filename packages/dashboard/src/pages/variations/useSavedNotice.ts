import { revisionOf } from '@burgee/contract/client'
import type { Feature } from '@burgee/contract/schemas'
import { useParams } from '@tanstack/react-router'
import { useWrite } from '../../api/query.ts'
import { describeError } from '../../components/States.tsx'
import { notify } from '../../components/Toasts.ts'

/** Says that a feature was saved, and offers to revert it. The revision of a feature is the entry of its last change. */
export function useSavedNotice({ key }: Feature) {
  const { project = '' } = useParams({ strict: false })
  const revert = useWrite('revertFeature')
  return (saved: object, text: string) => {
    const entry = revisionOf(saved)?.replaceAll('"', '')
    if (!entry) return notify({ text })
    notify({
      text,
      onUndo: () =>
        revert.mutate(
          { params: { project, feature: key, entry } },
          {
            onSuccess: () => notify({ text: 'Undone' }),
            onError: (error) => notify({ text: describeError(error) })
          }
        )
    })
  }
}
