import type { Project, UpdateProject } from '@burgee/contract/schemas'
import { useQueryClient } from '@tanstack/react-query'
import { isConflict, issueAt } from '../../api/issues.ts'
import { ifMatch, useWrite } from '../../api/query.ts'
import { refetchAfterWrite } from '../../api/refetch.ts'
import { useMissingPermission } from '../../components/access/useMissingPermission.ts'
import { TextAreaField, TextField } from '../../components/Field.tsx'
import { FormError } from '../../components/forms/FormError.tsx'
import { useFollowKeys } from '../../components/links/useFollowKeys.ts'
import { ColorField } from '../../components/settings/ColorField.tsx'
import styles from '../../components/settings/Settings.module.css'
import { SettingsForm } from '../../components/settings/SettingsForm.tsx'
import { useEdits } from '../../components/settings/useEdits.ts'
import { notify } from '../../components/Toasts.ts'
import { useProject } from './ProjectContext.ts'

const names = ['name', 'key', 'description', 'color'] as const

/** Name, key, description and colour of a project. */
export function GeneralPage() {
  const project = useProject()
  const cannotWrite = useMissingPermission('project:write', project.key)
  const { name, key, description = '', color = '' } = project
  const { form, changed, set, discard, accept, restoredAt } = useEdits(`settings/${project._id}/general`, {
    name,
    key,
    description,
    color
  })
  const { save, update } = useSave(project)
  // The API has no way to remove a colour, so an empty one is not sent.
  const pick = (from: typeof form) =>
    Object.fromEntries(
      changed.filter((member) => member !== 'color' || from.color !== '').map((member) => [member, from[member]])
    )
  return (
    <SettingsForm
      title="General"
      isChanged={changed.length > 0}
      isBusy={update.isPending}
      reason={cannotWrite}
      onSave={() => save(pick(form), pick({ name, key, description, color }), () => accept(form))}
      onDiscard={discard}
      restoredAt={restoredAt}
      before={<FormError error={update.error} fields={names} />}
    >
      <div className={styles.pair}>
        <TextField
          label="Name"
          value={form.name}
          onChange={(text) => set({ name: text })}
          error={issueAt(update.error, 'name')}
        />
        <TextField
          label="Key"
          value={form.key}
          onChange={(text) => set({ key: text })}
          isCode
          hint="If you change it, update the programs and links that use it."
          error={issueAt(update.error, 'key')}
        />
      </div>
      <TextAreaField
        label="Description"
        rows={2}
        value={form.description}
        onChange={(text) => set({ description: text })}
        error={issueAt(update.error, 'description')}
      />
      <ColorField
        label="Colour"
        hint="For API clients that display it."
        value={form.color}
        onChange={(chosen) => set({ color: chosen })}
        error={issueAt(update.error, 'color')}
      />
    </SettingsForm>
  )
}

function useSave(project: Project) {
  const followKeys = useFollowKeys()
  const client = useQueryClient()
  const update = useWrite('updateProject')
  const params = { key: project._id }
  const follow = (before: Project, after: Project) =>
    before.key === after.key || followKeys({ project: before.key }, { project: after.key })
  const save = (body: UpdateProject, inverse: UpdateProject, onSaved: () => void) =>
    update.mutate(
      { params, headers: ifMatch(project), body },
      {
        onError: (error) => {
          if (isConflict(error)) void refetchAfterWrite(client, { queryKey: ['getProject'] })
        },
        onSuccess: (saved) => {
          onSaved()
          follow(project, saved)
          notify({
            text: 'Saved the project',
            onUndo: () =>
              update.mutate(
                { params, headers: ifMatch(saved), body: inverse },
                { onSuccess: (back) => follow(saved, back) }
              )
          })
        }
      }
    )
  return { save, update }
}
