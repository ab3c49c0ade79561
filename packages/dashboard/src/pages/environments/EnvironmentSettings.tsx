import type { Environment, UpdateEnvironment } from '@burgee/contract/schemas'
import { isProtected } from '@burgee/contract/words'
import { useQueryClient } from '@tanstack/react-query'
import { useNavigate, useParams } from '@tanstack/react-router'
import { type FormEvent, useState } from 'react'
import { isConflict, issueAt } from '../../api/issues.ts'
import { ifMatch, useWrite } from '../../api/query.ts'
import { Button } from '../../parts/Button.tsx'
import { ConfirmDialog } from '../../parts/Dialog.tsx'
import { CheckField, SelectField, TextAreaField, TextField } from '../../parts/Field.tsx'
import { FormError } from '../../parts/forms/FormError.tsx'
import { Section } from '../../parts/Page.tsx'
import { ColorField } from '../../parts/settings/ColorField.tsx'
import { notify } from '../../parts/Toasts.ts'
import styles from './Environments.module.css'
import { affectsUsers, changesBetween, type EnvironmentForm, toForm } from './settings.ts'
import { environmentTypes, typeTitle } from './types.ts'
import { useReadonlyReason } from './useReadonlyReason.ts'

const signedUsers = [
  { value: 'off', label: 'Off: user ids are not checked' },
  { value: 'accepted', label: 'Accepted: invalid signatures are rejected' },
  { value: 'required', label: 'Required: missing signatures are rejected too' }
] as const

/** Name, type and evaluation settings of an environment. Sends only what was changed. */
export function EnvironmentSettings({ environment }: { readonly environment: Environment }) {
  const { save, update } = useSave(environment)
  const [edits, setEdits] = useState<Partial<EnvironmentForm>>({})
  const [asked, setAsked] = useState<UpdateEnvironment>()
  const saved = toForm(environment)
  const form = { ...saved, ...edits }
  const changes = changesBetween(saved, form)
  const set = (edit: Partial<EnvironmentForm>) => setEdits({ ...edits, ...edit })
  const send = (body: UpdateEnvironment) =>
    save(body, changesBetween(form, saved), () => {
      setEdits({})
      setAsked(undefined)
    })
  const isShielded = isProtected(environment) || isProtected(form)
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (!changes || update.isPending) return
    if (isShielded && affectsUsers(changes)) setAsked(changes)
    else send(changes)
  }
  const reason = useReadonlyReason(environment) ?? (changes ? undefined : 'there are no changes')
  return (
    <Section title="Settings">
      <form onSubmit={submit} className={`${styles.form} ${styles.settings}`} noValidate>
        <Members form={form} set={set} error={update.error} />
        <EvaluationFields form={form} set={set} />
        {!asked && <FormError error={update.error} fields={['name', 'key', 'description', 'type', 'color']} />}
        <div className={`${styles.buttons} ${styles.start}`}>
          <Button type="submit" kind="primary" isBusy={update.isPending} reason={reason}>
            Save settings
          </Button>
          {changes && <Button onClick={() => setEdits({})}>Discard changes</Button>}
        </div>
      </form>
      <ConfirmDialog
        isOpen={asked !== undefined}
        onClose={() => setAsked(undefined)}
        title={`Change the protected environment ${environment.name}`}
        action={`Save settings of ${environment.name}`}
        isBusy={update.isPending}
        onConfirm={() => asked && send(asked)}
        error={<FormError error={update.error} fields={[]} />}
      >
        <Consequences before={saved} after={form} />
      </ConfirmDialog>
    </Section>
  )
}

function useSave(environment: Environment) {
  const { org = '', project = '' } = useParams({ strict: false })
  const navigate = useNavigate()
  const client = useQueryClient()
  const update = useWrite('updateEnvironment')
  const params = { project, key: environment._id }
  const save = (body: UpdateEnvironment, inverse: UpdateEnvironment | undefined, onSaved: () => void) =>
    update.mutate(
      { params, headers: ifMatch(environment), body },
      {
        onError: (error) => {
          if (isConflict(error)) void client.invalidateQueries({ queryKey: ['getEnvironment'] })
        },
        onSuccess: ({ key }) => {
          onSaved()
          const open = (next: string) =>
            void navigate({
              to: '/o/$org/p/$project/environments/$environment',
              params: { org, project, environment: next },
              replace: true
            })
          if (key !== environment.key) open(key)
          notify({
            text: 'Settings saved',
            ...(inverse
              ? { onUndo: () => update.mutate({ params, body: inverse }, { onSuccess: (back) => open(back.key) }) }
              : {})
          })
        }
      }
    )
  return { save, update }
}

interface FieldsProps {
  readonly form: EnvironmentForm
  readonly set: (edit: Partial<EnvironmentForm>) => void
}

function Members({ form, set, error }: FieldsProps & { readonly error: Error | null }) {
  return (
    <>
      <div className={styles.pair}>
        <TextField label="Name" value={form.name} onChange={(name) => set({ name })} error={issueAt(error, 'name')} />
        <TextField
          label="Key"
          value={form.key}
          onChange={(key) => set({ key })}
          isCode
          hint="If you change it, update the programs that use it."
          error={issueAt(error, 'key')}
        />
      </div>
      <TextAreaField
        label="Description"
        rows={2}
        value={form.description}
        onChange={(description) => set({ description })}
        error={issueAt(error, 'description')}
      />
      <div className={styles.pair}>
        <SelectField
          label="Type"
          value={form.type}
          options={environmentTypes}
          onChange={(type) => set({ type })}
          error={issueAt(error, 'type')}
        />
        <ColorField
          label="Colour"
          value={form.color}
          onChange={(color) => set({ color })}
          error={issueAt(error, 'color')}
        />
      </div>
    </>
  )
}

function EvaluationFields({ form, set }: FieldsProps) {
  return (
    <>
      <SelectField
        label="Signed users"
        value={form.signedUsers}
        options={signedUsers}
        onChange={(chosen) => set({ signedUsers: chosen })}
        hint="Web pages and apps prove the ID of their user with a signature from your server. Start with “accepted”."
      />
      {form.signedUsers === 'required' && (
        <CheckField
          label="Accept anonymous users without a signature"
          isChecked={form.unsignedAnonymousUsers}
          onChange={(unsignedAnonymousUsers) => set({ unsignedAnonymousUsers })}
          hint="Their ID must be a random UUID. Stored data about them is ignored."
        />
      )}
      <CheckField
        label="OFREP returns the value of the off variation for features that are not served"
        isChecked={form.ofrepOffValues}
        onChange={(ofrepOffValues) => set({ ofrepOffValues })}
        hint="Otherwise such responses have no value, and applications use their own default."
      />
    </>
  )
}

/** What a change of a protected environment means, in sentences. */
function Consequences({ before, after }: { readonly before: EnvironmentForm; readonly after: EnvironmentForm }) {
  const wasProtected = isProtected(before)
  const isShielded = isProtected(after)
  return (
    <>
      {before.type !== after.type && (
        <p>
          The type changes from {typeTitle(before.type)} to {typeTitle(after.type)}.
          {wasProtected &&
            !isShielded &&
            ' After that, changes require neither the permission to publish nor a review.'}
          {!wasProtected && isShielded && ' After that, changes require the permission to publish.'}
        </p>
      )}
      {before.signedUsers !== after.signedUsers && (
        <p>
          {after.signedUsers === 'required'
            ? 'Requests of web pages and apps without signatures are rejected immediately.'
            : `Signatures of users are ${after.signedUsers === 'off' ? 'no longer checked' : 'checked where they are sent'}.`}
        </p>
      )}
      {before.unsignedAnonymousUsers !== after.unsignedAnonymousUsers && (
        <p>Anonymous users without a signature are {after.unsignedAnonymousUsers ? 'accepted' : 'rejected'}.</p>
      )}
      {before.ofrepOffValues !== after.ofrepOffValues && (
        <p>
          OFREP {after.ofrepOffValues ? 'returns the off variation’s value' : 'returns no value'} for features that are
          not served.
        </p>
      )}
    </>
  )
}
