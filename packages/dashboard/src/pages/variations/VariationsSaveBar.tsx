import { ApiError, revisionOf } from '@burgee/contract/client'
import type { Environment, Feature, RevisionChange } from '@burgee/contract/schemas'
import { useQueryClient } from '@tanstack/react-query'
import { useParams } from '@tanstack/react-router'
import { useEffect, useState } from 'react'
import { ifMatchRevision, useWrite } from '../../api/query.ts'
import { refetchAfterWrite } from '../../api/refetch.ts'
import { personName, usePeopleNames } from '../../components/Actor.tsx'
import { Button } from '../../components/Button.tsx'
import { Banner, ErrorBanner } from '../../components/States.tsx'
import { Time } from '../../components/Time.tsx'
import { ProductionDialog } from './dialogs/ProductionDialog.tsx'
import { VariationConflictDialog } from './dialogs/VariationConflictDialog.tsx'
import { affectedEnvironments, describeMatrixChanges, toMatrix, toUpdate } from './matrix.ts'
import type { MatrixDraft } from './useMatrixDraft.ts'
import { useSavedNotice } from './useSavedNotice.ts'
import type { ValueIssues } from './useValueIssues.ts'
import styles from './Variations.module.css'

interface Props {
  readonly draft: MatrixDraft
  readonly feature: Feature
  readonly environments: readonly Environment[]
  readonly check: () => Promise<ValueIssues>
}

/** The unsaved changes, with the buttons to save and discard them. */
export function VariationsSaveBar({ draft, feature, environments, check }: Props) {
  const [isConfirming, setConfirming] = useState(false)
  const [isMerging, setMerging] = useState(false)
  const save = useSave(draft, feature, check)
  const names = usePeopleNames()
  const changes = describeMatrixChanges(draft.base, draft.value)
  const affected = affectedEnvironments(feature, { base: draft.base, draft: draft.value }, environments)
  const start = () => {
    if (draft.isBehind) return setMerging(true)
    if (affected.length > 0) setConfirming(true)
    else void save.run()
  }
  useSaveKey(draft.isDirty && !isConfirming && !isMerging, start)
  const merge = () => {
    const merged = draft.rebase({ base: toMatrix(feature), revision: revisionOf(feature) ?? '' })
    if (merged.type === 'conflicts') setMerging(true)
    else save.reset()
  }
  if (!draft.isDirty) return null
  return (
    <section data-actions aria-label="Unsaved changes" className={styles.bar}>
      {draft.isBehind && (
        <Banner>
          <span>
            {save.since[0] ? (
              <>
                <bdi>{personName(save.since[0].idp_user, names)}</bdi> changed this feature{' '}
                <Time value={save.since[0].date} />.
              </>
            ) : (
              'This feature has changed in the meantime.'
            )}{' '}
            Your input is kept.
          </span>
          <Button onClick={merge}>Merge changes</Button>
        </Banner>
      )}
      {save.error && !draft.isBehind && <ErrorBanner error={save.error} title="Not saved" />}
      {save.hasIssues && (
        <p role="alert" className={styles.issue}>
          Not saved: the marked values are invalid.
        </p>
      )}
      <div className={styles.barRow}>
        <span className={styles.count}>
          {changes.length === 1 ? '1 unsaved change' : `${changes.length} unsaved changes`}
          {draft.restoredAt !== undefined && <span className={styles.quiet}> · restored draft</span>}
        </span>
        <Button kind="quiet" onClick={draft.undo} reason={draft.canUndo ? undefined : 'no changes to undo'}>
          Undo
        </Button>
        <Button kind="quiet" onClick={draft.discard}>
          Discard
        </Button>
        <Button kind="primary" isBusy={save.isPending} onClick={start}>
          Save
        </Button>
      </div>
      {isConfirming && (
        <ProductionDialog
          changes={changes}
          environments={affected}
          isBusy={save.isPending}
          onClose={() => setConfirming(false)}
          onConfirm={() => void save.run().then(() => setConfirming(false))}
        />
      )}
      {isMerging && <VariationConflictDialog draft={draft} feature={feature} onClose={() => setMerging(false)} />}
    </section>
  )
}

/** Saves a draft after the server has checked its values. */
function useSave(draft: MatrixDraft, feature: Feature, check: Props['check']) {
  const { project = '' } = useParams({ strict: false })
  const [hasIssues, setHasIssues] = useState(false)
  const [failure, setFailure] = useState<Error>()
  const [isChecking, setChecking] = useState(false)
  const write = useWrite('updateFeature')
  const noticeSaved = useSavedNotice(feature)
  const client = useQueryClient()
  const run = async () => {
    setFailure(undefined)
    setChecking(true)
    try {
      const issues = await check()
      setHasIssues(issues.size > 0)
      if (issues.size > 0) return
      const saved = await write.mutateAsync({
        params: { project, feature: feature.key },
        headers: ifMatchRevision(draft.revision),
        body: toUpdate(draft.value)
      })
      draft.accept({ base: toMatrix(saved), revision: revisionOf(saved) ?? '' })
      noticeSaved(saved, 'Saved')
    } catch (error) {
      setFailure(error instanceof Error ? error : new Error('saving failed', { cause: error }))
      const isConflict = error instanceof ApiError && error.errorType === 'ERR_REVISION'
      if (isConflict) await refetchAfterWrite(client, { queryKey: ['getFeature'] })
    } finally {
      setChecking(false)
    }
  }
  return {
    run,
    error: failure,
    hasIssues,
    since: changesSince(failure),
    isPending: isChecking,
    reset: () => setFailure(undefined)
  }
}

/** The changes that a refused revision names, newest first. */
function changesSince(error: Error | undefined): readonly RevisionChange[] {
  if (!(error instanceof ApiError) || error.errorType !== 'ERR_REVISION') return []
  const { since } = error.body as { readonly since?: readonly RevisionChange[] }
  return since ?? []
}

/** Ctrl+S and ⌘S save. */
function useSaveKey(isEnabled: boolean, save: () => void): void {
  useEffect(() => {
    if (!isEnabled) return
    const onKey = (event: KeyboardEvent) => {
      if (event.key !== 's' || !(event.ctrlKey || event.metaKey)) return
      event.preventDefault()
      save()
    }
    addEventListener('keydown', onKey)
    return () => removeEventListener('keydown', onKey)
  })
}
