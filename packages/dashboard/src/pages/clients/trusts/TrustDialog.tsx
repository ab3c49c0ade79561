import type { WorkloadTrust } from '@burgee/contract/schemas'
import { useState } from 'react'
import { issueAt, issueIn } from '../../../api/issues.ts'
import { useWrite } from '../../../api/query.ts'
import { useSession } from '../../../api/session.ts'
import { SelectField, TextField } from '../../../components/Field.tsx'
import { FormDialog } from '../../../components/forms/FormDialog.tsx'
import { toKey } from '../../../components/forms/toKey.ts'
import { Banner } from '../../../components/States.tsx'
import { notify } from '../../../components/Toasts.ts'
import { browserTimeZone } from '../../../preferences/preferences.ts'
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
      notify({ text: `Saved ${form.name}` })
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
      {!trust && <PlatformField audience={audience} set={set} />}
      <IssuerFields form={{ ...form, key }} isNew={trust === undefined} set={set} error={error} />
      <ConditionFields
        conditions={form.conditions}
        onChange={(conditions) => set({ conditions })}
        error={issueIn(error, 'conditions')}
      />
      <ScopeFields form={form} set={set} error={error} />
      <GrantFields form={form} set={set} error={error} />
      {changes && endsTrustTokens(changes) && (
        <Banner>
          <span role="status">Saving invalidates all tokens of its jobs.</span>
        </Banner>
      )}
    </FormDialog>
  )
}

interface FieldsProps {
  readonly form: TrustForm
  readonly set: (edit: Partial<TrustForm>) => void
  readonly error: Error | null
}

/** Prefills a new trust for a CI system. */
function PlatformField({ audience, set }: Pick<FieldsProps, 'set'> & { readonly audience: string }) {
  const [platform, setPlatform] = useState<keyof typeof platforms>('github')
  return (
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
  )
}

/** The name of a trust, and who issues the tokens of its jobs. */
function IssuerFields({ form, isNew, set, error }: FieldsProps & { readonly isNew: boolean }) {
  return (
    <div className={styles.pair}>
      <TextField label="Name" value={form.name} onChange={(name) => set({ name })} error={issueAt(error, 'name')} />
      <TextField
        label="Key"
        value={form.key}
        onChange={(next) => set({ key: next })}
        readOnly={!isNew}
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
  )
}

/** The permissions of the jobs, and their duration. */
function GrantFields({ form, set, error }: FieldsProps) {
  return (
    <>
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
    </>
  )
}
