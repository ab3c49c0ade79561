import { ApiError, revisionOf } from '@burgee/contract/client'
import type { Audience } from '@burgee/contract/schemas'
import { useEffect, useState } from 'react'
import { issueAt } from '../../api/query.ts'
import { useSession } from '../../api/session.ts'
import { missingPermission } from '../../components/access/permissionWords.ts'
import { Button } from '../../components/Button.tsx'
import { TextAreaField, TextField } from '../../components/Field.tsx'
import { FormError } from '../../components/forms/FormError.tsx'
import { Section } from '../../components/Page.tsx'
import { Banner } from '../../components/States.tsx'
import { formatMoment } from '../../components/Time.tsx'
import { type UsedDraft, useDraft } from '../../draft/useDraft.ts'
import { reduceTree } from '../../rules/editTree.ts'
import { FilterTreeEditor } from '../../rules/ui/FilterTreeEditor.tsx'
import { AudiencePreview } from './AudiencePreview.tsx'
import styles from './Audiences.module.css'
import { AudienceUsageTree } from './AudienceUsageTree.tsx'
import {
  type AudienceDraft,
  type AudienceVersion,
  audienceCodec,
  audienceVersionOf,
  countProblems,
  treeIssues
} from './audienceDraft.ts'
import { SaveDialog } from './SaveDialog.tsx'
import { useAudienceParams, useAudiences, useCustomProperties } from './useAudience.ts'
import { useSaveAudience } from './useSaveAudience.ts'

/** The form of an audience with a sticky save bar, a preview of the matching users, and what refers to the audience. */
export function AudienceEditor({ audience }: { readonly audience: Audience }) {
  const { user } = useSession()
  const { project } = useAudienceParams()
  const draft = useDraft({
    base: audienceVersionOf(audience),
    revision: revisionOf(audience) ?? '',
    codec: audienceCodec,
    address: { user: user.id, resource: `audience/${audience._id}` }
  })
  const save = useSaveAudience(project, audience, draft)
  const [isChecked, setChecked] = useState(false)
  const audiences = useAudiences(project).data
  const customProperties = useCustomProperties(project).data ?? []
  const others = (audiences ?? []).filter(({ _id }) => _id !== audience._id)
  const { name, description, tree } = draft.value
  const problems = countProblems(tree, {
    customProperties,
    ...(audiences ? { audiences: new Set(audiences.flatMap(({ _id, key }) => [_id, key])) } : {})
  })
  const trySave = () => {
    setChecked(true)
    if (problems === 0 && !audience.readonly && draft.isDirty) save.start()
  }
  useSaveKey(trySave)
  const issues = save.error instanceof ApiError ? treeIssues(tree, save.error.issues) : []
  const fields = ['name', 'description', ...issuePaths(save.error)]
  return (
    <div className={styles.columns}>
      <div className={styles.form}>
        <DraftNotices draft={draft} />
        <TextField
          label="Name"
          value={name}
          onChange={(text) => draft.set((current) => ({ ...current, name: text }), 'name')}
          error={issueAt(save.error, 'name')}
          readOnly={audience.readonly}
        />
        <TextAreaField
          label="Description"
          rows={2}
          value={description}
          onChange={(text) => draft.set((current) => ({ ...current, description: text }), 'description')}
          error={issueAt(save.error, 'description')}
          readOnly={audience.readonly}
        />
        <Section title="Conditions">
          <fieldset disabled={audience.readonly}>
            <legend className="visually-hidden">Conditions of {audience.name}</legend>
            <FilterTreeEditor
              tree={tree}
              dispatch={(action, group) =>
                draft.set((current) => ({ ...current, tree: reduceTree(current.tree, action) }), group)
              }
              place="audience"
              name={`audience ${name}`}
              customProperties={customProperties}
              audiences={others}
              isChecked={isChecked}
              issues={issues}
            />
          </fieldset>
        </Section>
        <FormError error={save.error} fields={fields} />
        <SaveBar
          isDirty={draft.isDirty}
          problems={isChecked ? problems : 0}
          isBusy={save.isBusy}
          reason={audience.readonly ? missingPermission('audience:write') : undefined}
          onSave={trySave}
          onDiscard={draft.discard}
        />
      </div>
      <aside className={styles.side} aria-label="Matching users and usage">
        <AudiencePreview
          project={project}
          audience={audience}
          filters={audienceCodec.toApi(draft.value).filters}
          isComplete={problems === 0}
        />
        <AudienceUsageTree project={project} audience={audience.key} />
      </aside>
      <SaveDialog save={save} audience={audience} />
    </div>
  )
}

/** Notices about a restored draft, and about a change that another person saved in the meantime. */
function DraftNotices({ draft }: { readonly draft: UsedDraft<AudienceVersion, AudienceDraft> }) {
  return (
    <>
      {draft.restoredAt !== undefined && draft.isDirty && (
        <Banner>
          <span>Unsaved draft from {formatMoment(draft.restoredAt)}.</span>{' '}
          <Button onClick={draft.discard}>Discard</Button>
        </Banner>
      )}
      {draft.isBehind && (
        <Banner>
          Another person saved this audience. Your changes are kept, and merged with theirs when you save.
        </Banner>
      )}
    </>
  )
}

interface BarProps {
  readonly isDirty: boolean
  readonly problems: number
  readonly isBusy: boolean
  readonly reason: string | undefined
  readonly onSave: () => void
  readonly onDiscard: () => void
}

function SaveBar({ isDirty, problems, isBusy, reason, onSave, onDiscard }: BarProps) {
  if (!isDirty && !reason) return null
  return (
    <div data-actions className={styles.bar}>
      <span role="status">
        {reason ??
          (problems > 0
            ? `${problems} ${problems === 1 ? 'condition needs' : 'conditions need'} your attention`
            : 'Unsaved changes')}
      </span>
      <span className={styles.buttons}>
        <Button onClick={onDiscard}>Discard</Button>
        <Button kind="primary" onClick={onSave} isBusy={isBusy} reason={reason}>
          Save
        </Button>
      </span>
    </div>
  )
}

/** Ctrl or ⌘ + S saves. */
function useSaveKey(save: () => void): void {
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (event.key !== 's' || !(event.ctrlKey || event.metaKey)) return
      event.preventDefault()
      save()
    }
    addEventListener('keydown', onKey)
    return () => removeEventListener('keydown', onKey)
  }, [save])
}

/** The paths of problems that stand at conditions. */
function issuePaths(error: Error | null): readonly string[] {
  if (!(error instanceof ApiError)) return []
  return error.issues.filter(({ path }) => path[0] === 'filters').map(({ path }) => path.join('.'))
}
