import type { WorkloadTrust } from '@burgee/contract/schemas'
import { useState } from 'react'
import { issueAt, issueIn } from '../../../api/issues.ts'
import { useWrite } from '../../../api/query.ts'
import { useSession } from '../../../api/session.ts'
import { browserTimeZone } from '../../../look/preferences.ts'
import { SelectField, TextField } from '../../../parts/Field.tsx'
import { FormDialog } from '../../../parts/forms/FormDialog.tsx'
import { toKey } from '../../../parts/forms/toKey.ts'
import { Banner } from '../../../parts/States.tsx'
import { notify } from '../../../parts/Toasts.ts'
import styles from '../Clients.module.css'
import { ConditionFields } from './ConditionFields.tsx'
import { ScopeFields } from './ScopeFields.tsx'
import {
  endsTrustTokens,
  newTrust,
  platforms,
  type TrustForm,
  toNewTrust,
  toTrustForm,
  trustChanges,
  trustRoles
} from './trustForm.ts'

interface Props {
  /** Absent for a new one. */
  readonly trust?: WorkloadTrust
  readonly onClose: () => void
}

const fieldNames = ['name', 'key', 'issuer', 'audience', 'conditions', 'grants', 'expiresAt']

/** Which jobs of a CI system get tokens, and their permissions. */
export function TrustDialog({ trust, onClose }: Props) {
  const { server } = useSession()
  const audience = server.publicUrl ?? location.origin
  const [platform, setPlatform] = useState<keyof typeof platforms>('github')
  const [form, setForm] = useState<TrustForm>(() => (trust ? toTrustForm(trust) : newTrust('github', audience)))
  const create = useWrite('createWorkloadTrust', ['listWorkloadTrusts'])
  const update = useWrite('updateWorkloadTrust', ['listWorkloadTrusts'])
  const set = (edit: Partial<TrustForm>) => setForm({ ...form, ...edit })
  const key = form.key === '' ? toKey(form.name) : form.key
  const changes = trust && trustChanges(trust, form)
  const { error, isPending } = trust ? update : create
  const submit = () => {
    const onSuccess = () => {
      onClose()
      notify({ text: `${form.name} saved` })
    }
    if (changes) update.mutate({ params: { trust: trust._id }, body: changes }, { onSuccess })
    else create.mutate({ body: toNewTrust({ ...form, key }) }, { onSuccess })
  }
  return (
    <FormDialog
      onClose={onClose}
      title={trust ? `Edit ${trust.name}` : 'New trust'}
      shape="wide"
      action={trust ? 'Save' : 'Create trust'}
      onSubmit={submit}
      isBusy={isPending}
      reason={trust && !changes ? 'there are no changes' : undefined}
      error={error}
      fields={fieldNames}
    >
      {!trust && (
        <SelectField
          label="CI system"
          value={platform}
          options={[
            { value: 'github', label: platforms.github.label },
            { value: 'gitlab', label: platforms.gitlab.label }
          ]}
          onChange={(next) => {
            setPlatform(next)
            const { issuer, conditions } = newTrust(next, audience)
            set({ issuer, conditions })
          }}
          hint="Fills in the issuer and the claims. For your own instance, change the issuer."
        />
      )}
      <div className={styles.pair}>
        <TextField label="Name" value={form.name} onChange={(name) => set({ name })} error={issueAt(error, 'name')} />
        <TextField
          label="Key"
          value={key}
          onChange={(next) => set({ key: next })}
          readOnly={trust !== undefined}
          isCode
          hint="Jobs refer to the trust by this key."
          error={issueAt(error, 'key')}
        />
        <TextField
          label="Issuer"
          value={form.issuer}
          onChange={(issuer) => set({ issuer })}
          isCode
          error={issueAt(error, 'issuer')}
        />
        <TextField
          label="Audience"
          value={form.audience}
          onChange={(next) => set({ audience: next })}
          isCode
          hint="The audience that jobs request a token for: the address of this server."
          error={issueAt(error, 'audience')}
        />
      </div>
      <ConditionFields
        conditions={form.conditions}
        onChange={(conditions) => set({ conditions })}
        error={issueIn(error, 'conditions')}
      />
      <ScopeFields form={form} set={set} error={error} />
      <div className={styles.pair}>
        <SelectField
          label="Role in these projects"
          value={form.role}
          options={[
            ...(form.role === '' ? [{ value: '' as const, label: 'individual permissions' }] : []),
            ...trustRoles
          ]}
          onChange={(role) => set({ role })}
          error={issueAt(error, 'grants.role')}
        />
        <TextField
          label="Tokens are valid for (minutes)"
          type="number"
          min={1}
          max={60}
          value={form.minutes}
          onChange={(minutes) => set({ minutes })}
          error={issueAt(error, 'grants.maxLifetime')}
        />
      </div>
      <TextField
        label="Expires"
        type="datetime-local"
        value={form.expiry}
        onChange={(expiry) => set({ expiry })}
        hint={`In the time zone ${browserTimeZone()}. Leave empty for no expiry.`}
        error={issueAt(error, 'expiresAt')}
      />
      {changes && endsTrustTokens(changes) && (
        <Banner>
          <span role="status">Saving invalidates all tokens of its jobs.</span>
        </Banner>
      )}
    </FormDialog>
  )
}
