import { ApiError, revisionOf } from '@burgee/contract/client'
import type { FeatureConfiguration, RevisionChange, UpdateFeatureConfiguration } from '@burgee/contract/schemas'
import { useQueryClient } from '@tanstack/react-query'
import { call, readNewest, useWrite } from '../../../api/query.ts'
import { refetchAfterWrite } from '../../../api/refetch.ts'
import { describeError } from '../../../components/States.tsx'
import { notify } from '../../../components/Toasts.ts'
import type { Version } from '../../../draft/draftState.ts'
import { type Targeting, useTargetingParams } from '../useTargeting.ts'
import { type TargetingDraft, versionOf } from '../useTargetingDraft.ts'

/** A newer version of the configuration, which was saved while the draft was edited. */
export interface Meanwhile extends Version<UpdateFeatureConfiguration> {
  /** Who changed the feature, newest first, where the server says so. */
  readonly since: readonly RevisionChange[]
  /** Whether it was detected by saving, which continues after the versions are merged. */
  readonly isSaving: boolean
}

/** The newer version in a list of configurations. */
export function meanwhileOf(
  list: readonly FeatureConfiguration[],
  { since = [], isSaving = false }: Partial<Pick<Meanwhile, 'since' | 'isSaving'>> = {}
): Meanwhile | undefined {
  const [configuration] = list
  if (!configuration) return undefined
  return { base: versionOf(configuration), revision: revisionOf(list) ?? '', since, isSaving }
}

interface Outcome {
  readonly onSaved: () => void
  readonly onConflict: (meanwhile: Meanwhile) => void
}

/** Saves the draft with the revision that it began with. A save that another one preceded is a conflict. */
export function useSave({ feature, environment }: Targeting, draft: TargetingDraft, { onSaved, onConflict }: Outcome) {
  const params = useTargetingParams()
  const client = useQueryClient()
  const update = useWrite('updateFeatureConfiguration')
  const query = { environment: environment.key }

  const undo = async (entry: string) => {
    try {
      await call('revertFeature', { params: { ...params, entry } })
      void refetchAfterWrite(client)
      notify({ text: `Undone: ${feature.name} in ${environment.name} is as before` })
    } catch (error) {
      void refetchAfterWrite(client)
      notify({ text: `Could not undo: ${describeError(error)}` })
    }
  }
  const onError = async (error: Error) => {
    if (!(error instanceof ApiError) || error.errorType !== 'ERR_REVISION') return
    const list = await readNewest(client, 'listFeatureConfigurations', { params, query })
    const meanwhile = meanwhileOf(list, { since: changesSince(error.body), isSaving: true })
    if (!meanwhile) return
    update.reset()
    onConflict(meanwhile)
  }
  const save = () => {
    const headers = draft.revision === '' ? {} : { 'if-match': draft.revision }
    update.mutate(
      { params, query, headers, body: draft.mine },
      {
        onSuccess: (saved) => {
          const revision = revisionOf(saved) ?? ''
          draft.accept({ base: versionOf(saved), revision })
          const entry = revision.replaceAll('"', '')
          notify({
            text: noticeOf(draft, environment.name),
            id: 'saved',
            ...(entry === '' ? {} : { onUndo: () => void undo(entry) })
          })
          onSaved()
        },
        onError: (error) => void onError(error)
      }
    )
  }
  return { save, isSaving: update.isPending, error: update.error }
}

/** What was saved: whether the feature is on if that changed, which is out of sight below the first target. */
function noticeOf({ before, mine }: TargetingDraft, environment: string): string {
  if (before.status === mine.status) return `Saved in ${environment}`
  return `Saved in ${environment}: turned ${mine.status === 'active' ? 'on' : 'off'}`
}

/** The body of an `ERR_REVISION`, as the contract's `ManagementError` describes it. */
function changesSince(body: unknown): readonly RevisionChange[] {
  const { since } = (body ?? {}) as { readonly since?: readonly RevisionChange[] }
  return since ?? []
}
