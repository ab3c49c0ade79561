import type { ApiClient, UpdateApiClient } from '@burgee/contract/schemas'
import { type FormEvent, useState } from 'react'
import { issueAt } from '../../api/issues.ts'
import { useWrite } from '../../api/query.ts'
import { Button } from '../../components/Button.tsx'
import { ConfirmDialog } from '../../components/Dialog.tsx'
import { CheckField, TextField } from '../../components/Field.tsx'
import { FormError } from '../../components/forms/FormError.tsx'
import { Section } from '../../components/Page.tsx'
import { Banner } from '../../components/States.tsx'
import { notify } from '../../components/Toasts.ts'
import { AddressField, clientFieldNames, LimitFields, RoleFields } from './ClientFields.tsx'
import styles from './Clients.module.css'
import { type ClientForm, changesOf, endsTokens, kindOf, toClientForm } from './clientForm.ts'
import { useClientReason } from './useClientReason.ts'

/** The settings of a client. Asks before a change that invalidates its tokens. */
export function ClientSettings({ client }: { readonly client: ApiClient }) {
  const [form, setForm] = useState(() => toClientForm(client))
  const [asked, setAsked] = useState<UpdateApiClient>()
  const update = useWrite('updateApiClient', ['getApiClient', 'listApiClients'])
  const locked = useClientReason(client)
  const changes = changesOf(client, form)
  const isEnding = changes !== undefined && endsTokens(changes)
  const set = (edit: Partial<ClientForm>) => setForm({ ...form, ...edit })
  const save = (body: UpdateApiClient) =>
    update.mutate(
      { params: { client: client._id }, body },
      { onSuccess: () => notify({ text: `Saved ${client.name}` }), onSettled: () => setAsked(undefined) }
    )
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (!changes || locked !== undefined || update.isPending) return
    if (isEnding) setAsked(changes)
    else save(changes)
  }
  const fields = { form, set, error: update.error }
  const isProgram = kindOf(client) === 'program'
  return (
    <Section title="Settings">
      <form onSubmit={submit} className={styles.form} noValidate>
        <TextField
          label="Name"
          value={form.name}
          onChange={(name) => set({ name })}
          error={issueAt(update.error, 'name')}
        />
        {(!isProgram || form.addresses !== '') && <AddressField {...fields} />}
        {!isProgram && (
          <CheckField
            label="An assistant"
            isChecked={form.isAssistant}
            onChange={(isAssistant) => set({ isAssistant })}
            isDisabled={client.isDynamic}
            hint={
              client.isDynamic
                ? 'Clients that registered themselves are assistants.'
                : 'The history attributes its changes to an assistant.'
            }
          />
        )}
        {!client.isPublic && <RoleFields {...fields} />}
        <LimitFields {...fields} />
        {isEnding && (
          <Banner>
            <span role="status">
              Saving invalidates all tokens of this client
              {isProgram ? ', which has to request new ones.' : ', and people have to sign in to it again.'}
            </span>
          </Banner>
        )}
        {!asked && <FormError error={update.error} fields={clientFieldNames} />}
        <div className={styles.start}>
          <Button
            type="submit"
            kind="primary"
            isBusy={update.isPending}
            reason={locked ?? (changes ? undefined : 'there are no changes')}
          >
            {isEnding ? 'Save…' : 'Save'}
          </Button>
          {changes && <Button onClick={() => setForm(toClientForm(client))}>Discard changes</Button>}
        </div>
      </form>
      <ConfirmDialog
        isOpen={asked !== undefined}
        onClose={() => setAsked(undefined)}
        title={`Save ${client.name} and invalidate its tokens`}
        action="Save and invalidate tokens"
        isDangerous
        isBusy={update.isPending}
        onConfirm={() => asked && save(asked)}
      >
        <p>
          {isProgram
            ? 'Requests of the program are rejected until it requests a new access token.'
            : 'Everyone who uses it is signed out of it immediately, and asked for consent when they sign in again.'}
        </p>
      </ConfirmDialog>
    </Section>
  )
}
