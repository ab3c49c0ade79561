import type { Environment, UpdateEnvironment } from '@burgee/contract/schemas'
import { isProtected } from '@burgee/contract/words'
import { useQueryClient } from '@tanstack/react-query'
import { useParams } from '@tanstack/react-router'
import { type FormEvent, useState } from 'react'
import { isConflict } from '../../api/issues.ts'
import { ifMatch, useWrite } from '../../api/query.ts'
import { refetchAfterWrite } from '../../api/refetch.ts'
import { Button } from '../../components/Button.tsx'
import { ConfirmDialog } from '../../components/Dialog.tsx'
import { FormError } from '../../components/forms/FormError.tsx'
import { useFollowKeys } from '../../components/links/useFollowKeys.ts'
import { Section } from '../../components/Page.tsx'
import { notify } from '../../components/Toasts.ts'
import { EvaluationFields, IdentityFields } from './EnvironmentFields.tsx'
import styles from './Environments.module.css'
import { affectsUsers, changesBetween, type EnvironmentForm, toForm } from './settings.ts'
import { typeTitle } from './types.ts'
import { useReadonlyReason } from './useReadonlyReason.ts'

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
        <IdentityFields form={form} set={set} error={update.error} />
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
  const { project = '' } = useParams({ strict: false })
  const followKeys = useFollowKeys()
  const client = useQueryClient()
  const update = useWrite('updateEnvironment')
  const params = { project, key: environment._id }
  const follow = (before: Environment, after: Environment) =>
    before.key === after.key || followKeys({ project, environment: before.key }, { environment: after.key })
  const save = (body: UpdateEnvironment, inverse: UpdateEnvironment | undefined, onSaved: () => void) =>
    update.mutate(
      { params, headers: ifMatch(environment), body },
      {
        onError: (error) => {
          if (isConflict(error)) void refetchAfterWrite(client, { queryKey: ['getEnvironment'] })
        },
        onSuccess: (saved) => {
          onSaved()
          follow(environment, saved)
          notify({
            text: 'Saved the settings',
            ...(inverse
              ? { onUndo: () => update.mutate({ params, body: inverse }, { onSuccess: (back) => follow(saved, back) }) }
              : {})
          })
        }
      }
    )
  return { save, update }
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
