import type { OrganizationSettings } from '@burgee/contract/schemas'
import { useState } from 'react'
import { useWrite } from '../../../api/query.ts'
import { useSession } from '../../../api/session.ts'
import { useMissingPermission } from '../../../components/access/useMissingPermission.ts'
import { useProjectNames, useProjects } from '../../../components/access/useProjectNames.ts'
import { SelectField } from '../../../components/Field.tsx'
import { FormError } from '../../../components/forms/FormError.tsx'
import styles from '../../../components/settings/Settings.module.css'
import { SettingsForm } from '../../../components/settings/SettingsForm.tsx'
import { useEdits } from '../../../components/settings/useEdits.ts'
import { notify } from '../../../components/Toasts.ts'
import { AccessDialog } from './AccessDialog.tsx'
import { GroupMappings } from './GroupMappings.tsx'

type Permissions = OrganizationSettings['permissions']

const modes = [
  { value: 'flat', label: 'Flat: everyone has all permissions' },
  { value: 'basic', label: 'Basic: one role for all projects' },
  { value: 'full', label: 'Full: roles in the organization and in each project' }
] as const

const controls = [
  { value: 'burgee', label: 'Here: roles of people, and of their groups' },
  { value: 'identityProvider', label: 'Identity provider: only roles of groups' }
] as const

/** How permissions are granted. Shows the affected people before saving. */
export function AccessGroup({ settings }: { readonly settings: OrganizationSettings }) {
  const reason = useMissingPermission('organization:write:settings')
  const projectNames = useProjectNames()
  const [isAsking, setAsking] = useState(false)
  const { form, changed, set, discard, accept, restoredAt } = useEdits<Permissions>(
    'settings/organization/access',
    settings.permissions
  )
  const [isChecked, setChecked] = useState(false)
  const update = useWrite('updateOrganizationSettings')
  const isNameless = form.groups.some(({ group }) => group.trim() === '')
  const review = () => {
    setChecked(true)
    if (!isNameless) setAsking(true)
  }
  const pick = (from: Permissions) => Object.fromEntries(changed.map((name) => [name, from[name]]))
  const save = () =>
    update.mutate(
      { body: { permissions: pick(form) } },
      {
        onSuccess: () => {
          accept(form)
          setAsking(false)
          const inverse = pick(settings.permissions)
          notify({ text: 'Saved the access settings', onUndo: () => update.mutate({ body: { permissions: inverse } }) })
        }
      }
    )
  return (
    <>
      <SettingsForm
        title="Access"
        docs="guides/access-control.md"
        isChanged={changed.length > 0}
        isBusy={update.isPending}
        reason={reason}
        action="Review and save…"
        onSave={review}
        onDiscard={discard}
        restoredAt={restoredAt}
        before={!isAsking && <FormError error={update.error} fields={[]} />}
      >
        <AccessFields form={form} set={set} isChecked={isChecked} />
      </SettingsForm>
      {isAsking && (
        <AccessDialog
          before={settings.permissions}
          after={form}
          projects={projectNames}
          isBusy={update.isPending}
          error={update.error}
          onConfirm={save}
          onClose={() => setAsking(false)}
        />
      )}
    </>
  )
}

interface FieldsProps {
  readonly form: Permissions
  readonly set: (change: Partial<Permissions>) => void
  /** Whether groups without a name are marked. */
  readonly isChecked: boolean
}

/** The mode of permissions, and the roles of groups. */
function AccessFields({ form, set, isChecked }: FieldsProps) {
  const { server } = useSession()
  const projects = useProjects()
  return (
    <>
      <SelectField
        label="Mode"
        value={form.mode}
        options={modes}
        onChange={(mode) => set({ mode, ...(mode === 'flat' ? { controlledBy: 'burgee' as const } : {}) })}
        hint="Applies to people. An API client without roles has all permissions in every mode."
      />
      {form.mode !== 'flat' && (
        <SelectField
          label="Roles are managed"
          value={form.controlledBy}
          options={controls}
          onChange={(controlledBy) => set({ controlledBy })}
          hint={
            form.controlledBy === 'identityProvider'
              ? 'People who sign in through the provider have only the roles of their groups. Roles in the organization do not apply to projects.'
              : server.signInName
                ? undefined
                : 'This server has no identity provider, so groups come from provisioning only.'
          }
        />
      )}
      {form.mode !== 'flat' && (
        <GroupMappings
          mappings={form.groups}
          projects={projects}
          onChange={(groups) => set({ groups })}
          isChecked={isChecked}
        />
      )}
      {form.mode === 'flat' && (
        <p className={styles.soft}>
          In flat mode, everyone who can sign in has all permissions. The other modes use roles, also for groups of an
          identity provider.
        </p>
      )}
    </>
  )
}
