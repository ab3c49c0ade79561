import { ApiError, revisionOf } from '@burgee/contract/client'
import type { Audience } from '@burgee/contract/schemas'
import { isProtected } from '@burgee/contract/words'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { call, readNewest, useRead, useWrite } from '../../api/query.ts'
import { refetchAfterWrite } from '../../api/refetch.ts'
import { useEnvironments } from '../../api/useEnvironments.ts'
import { notify } from '../../components/Toasts.ts'
import { isSame } from '../../draft/structure.ts'
import type { UsedDraft } from '../../draft/useDraft.ts'
import { type AudienceDraft, type AudienceVersion, audienceCodec, audienceVersionOf } from './audienceDraft.ts'

type Draft = UsedDraft<AudienceVersion, AudienceDraft>

/** What has to be confirmed or resolved before the draft is saved. */
export type AudienceSaveStep =
  | { readonly type: 'none' }
  /** Users of protected environments may get something else. */
  | { readonly type: 'protected'; readonly features: readonly string[]; readonly environments: readonly string[] }
  /** Both changed the same members. */
  | {
      readonly type: 'conflict'
      readonly theirs: Audience
      readonly members: readonly string[]
      readonly ids: readonly string[]
    }

export interface SaveAudience {
  readonly step: AudienceSaveStep
  readonly isBusy: boolean
  readonly error: Error | null
  /** Asks first if the change affects users of protected environments. */
  readonly start: () => void
  readonly confirm: () => void
  readonly cancel: () => void
  readonly resolve: (side: 'mine' | 'theirs') => void
}

/** Saves the draft of an audience with `If-Match`. Merges changes of others; the notice offers to undo. */
export function useSaveAudience(project: string, audience: Audience, draft: Draft): SaveAudience {
  const client = useQueryClient()
  const write = useWrite('updateAudience')
  const [step, setStep] = useState<AudienceSaveStep>({ type: 'none' })
  const reach = useProtectedReach(project, audience.key)
  const params = { project, key: audience.key }

  const send = (body: AudienceVersion, revision: string, before: AudienceVersion) =>
    write.mutate(
      { params, body, headers: { 'if-match': revision } },
      {
        onSuccess: (saved) => {
          setStep({ type: 'none' })
          const next = revisionOf(saved) ?? ''
          draft.accept({ base: audienceVersionOf(saved), revision: next })
          notify({ text: `Saved ${saved.name}`, onUndo: () => void undo(before, next) })
        },
        onError: (error) => {
          if (error instanceof ApiError && error.errorType === 'ERR_REVISION') void join()
        }
      }
    )
  const undo = async (before: AudienceVersion, revision: string) => {
    try {
      await call('updateAudience', { params, body: before, headers: { 'if-match': revision } })
      void refetchAfterWrite(client)
      notify({ text: 'Undone' })
    } catch (error) {
      void refetchAfterWrite(client)
      const isChanged = error instanceof ApiError && error.errorType === 'ERR_REVISION'
      notify({ text: isChanged ? 'Could not undo: it was changed again meanwhile' : 'Could not undo the change' })
    }
  }
  /** Merges the draft with the saved version, and saves again unless both changed the same members. */
  const join = async () => {
    const theirs = await readNewest(client, 'getAudience', { params })
    const version = { base: audienceVersionOf(theirs), revision: revisionOf(theirs) ?? '' }
    const merge = draft.rebase(version)
    if (merge.type === 'merged') return send(merge.value, version.revision, version.base)
    const members = [...new Set(merge.conflicts.map(({ path }) => String(path[0])))]
    setStep({ type: 'conflict', theirs, members, ids: merge.conflicts.map(({ id }) => id) })
  }
  const resolve = (side: 'mine' | 'theirs') => {
    if (step.type !== 'conflict') return
    const version = { base: audienceVersionOf(step.theirs), revision: revisionOf(step.theirs) ?? '' }
    const merge = draft.rebase(version, Object.fromEntries(step.ids.map((id) => [id, side])))
    setStep({ type: 'none' })
    write.reset()
    if (side === 'mine' && merge.type === 'merged') send(merge.value, version.revision, version.base)
  }
  const areConditionsChanged = !isSame(draft.base.filters, audienceCodec.toApi(draft.value).filters)
  const confirm = () => send(audienceCodec.toApi(draft.value), draft.revision, draft.base)
  return {
    step,
    isBusy: write.isPending,
    // The dialog of the conflict says what to do.
    error: write.error instanceof ApiError && write.error.errorType === 'ERR_REVISION' ? null : write.error,
    start: () => (reach && areConditionsChanged ? setStep({ type: 'protected', ...reach }) : confirm()),
    confirm,
    cancel: () => setStep({ type: 'none' }),
    resolve
  }
}

/** The features that serve users of protected environments by the audience, and the names of those environments. */
function useProtectedReach(project: string, key: string) {
  const usage = useRead('getAudienceUsage', { params: { project, key } }).data
  const environments = useEnvironments(project).data ?? []
  const shielded = new Map(environments.filter(isProtected).map((environment) => [environment.key, environment.name]))
  const features = (usage?.features ?? []).filter(({ environments: used }) =>
    Object.keys(used).some((environment) => shielded.has(environment))
  )
  if (features.length === 0) return undefined
  const names = new Set(
    features.flatMap(({ environments: used }) =>
      Object.keys(used).flatMap((environment) => shielded.get(environment) ?? [])
    )
  )
  return { features: features.map(({ name }) => name), environments: [...names] }
}
