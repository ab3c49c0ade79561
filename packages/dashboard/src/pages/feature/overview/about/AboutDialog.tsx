import type { Feature } from '@burgee/contract/schemas'
import { useState } from 'react'
import { notifyChange } from '../../../../actions/featureUndo.ts'
import { issueIn } from '../../../../api/issues.ts'
import { ifMatch, issueAt, useRead, useWrite } from '../../../../api/query.ts'
import { usePermission } from '../../../../api/session.ts'
import { SelectField, TextAreaField, TextField } from '../../../../components/Field.tsx'
import { FormDialog } from '../../../../components/forms/FormDialog.tsx'
import { changeOf, fieldsOf } from './aboutFields.ts'
import { LinkFields } from './LinkFields.tsx'

interface Props {
  readonly project: string
  readonly feature: Feature
  readonly onClose: () => void
}

/** The name of a feature and what it is for, to edit. Sends what differs only. */
export function AboutDialog({ project, feature, onClose }: Props) {
  // The dialog compares with what it was opened with, also if another person saves in the meantime.
  const [base] = useState(feature)
  const [fields, setFields] = useState(() => fieldsOf(feature))
  const write = useWrite('updateFeature')
  const owners = useOwners(fields.owner)
  const set = (change: Partial<typeof fields>) => setFields({ ...fields, ...change })
  const body = changeOf(base, fields)
  const params = { project, feature: base.key }
  const submit = () => {
    if (body === undefined) return
    write.mutate(
      { params, headers: ifMatch(base), body },
      {
        onSuccess: (after) => {
          onClose()
          notifyChange({ text: 'Saved', params, before: base, after })
        }
      }
    )
  }
  const linkIssues = fields.links.flatMap((_, index) => [`summary.links.${index}.url`, `summary.links.${index}.title`])
  return (
    <FormDialog
      onClose={onClose}
      title="About this feature"
      action="Save"
      onSubmit={submit}
      isBusy={write.isPending}
      reason={body === undefined ? 'there are no changes' : undefined}
      error={write.error}
      fields={['name', 'description', 'tags', 'summary.markdown', ...linkIssues]}
    >
      <TextField
        label="Name"
        value={fields.name}
        onChange={(name) => set({ name })}
        error={issueAt(write.error, 'name')}
        autoFocus
      />
      <TextAreaField
        label="Description"
        value={fields.description}
        onChange={(description) => set({ description })}
        error={issueAt(write.error, 'description')}
      />
      <SelectField label="Owner" value={fields.owner} options={owners} onChange={(owner) => set({ owner })} />
      <TextField
        label="Tags"
        hint="Separated by commas."
        value={fields.tags}
        onChange={(tags) => set({ tags })}
        error={issueIn(write.error, 'tags')}
      />
      <LinkFields
        links={fields.links}
        onChange={(links) => set({ links })}
        issue={(index, member) => issueAt(write.error, `summary.links.${index}.${member}`)}
      />
      <TextAreaField
        label="Notes"
        hint="Markdown: paragraphs, lists, code and links."
        rows={6}
        value={fields.markdown}
        onChange={(markdown) => set({ markdown })}
        error={issueAt(write.error, 'summary.markdown')}
      />
    </FormDialog>
  )
}

/** The people who can be chosen as owner, with the present one. */
function useOwners(current: string): readonly { readonly value: string; readonly label: string }[] {
  const mayList = usePermission('organization:read:members')
  const members = useRead('listMembers', { query: { perPage: 1000 } }, { enabled: mayList }).data ?? []
  const isListed = current === '' || members.some(({ user_id }) => user_id === current)
  return [
    { value: '', label: 'None' },
    ...(isListed ? [] : [{ value: current, label: current }]),
    ...members.map(({ user_id, name, email }) => ({ value: user_id, label: email ? `${name} (${email})` : name }))
  ]
}
