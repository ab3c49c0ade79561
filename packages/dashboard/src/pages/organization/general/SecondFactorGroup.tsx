import type { OrganizationSettings } from '@burgee/contract/schemas'
import { useState } from 'react'
import { useWrite } from '../../../api/query.ts'
import { useMissingPermission } from '../../../components/access/useMissingPermission.ts'
import { ConfirmDialog } from '../../../components/Dialog.tsx'
import { CheckField } from '../../../components/Field.tsx'
import { FormError } from '../../../components/forms/FormError.tsx'
import { SettingsForm } from '../../../components/settings/SettingsForm.tsx'
import { useEdits } from '../../../components/settings/useEdits.ts'
import { notify } from '../../../components/Toasts.ts'

/** Whether people who sign in with a password need a second factor. */
export function SecondFactorGroup({ settings }: { readonly settings: OrganizationSettings }) {
  const reason = useMissingPermission('organization:write:settings')
  const [isAsking, setAsking] = useState(false)
  const { form, changed, set, discard, accept, restoredAt } = useEdits('settings/organization/second-factor', {
    secondFactor: settings.secondFactor
  })
  const update = useWrite('updateOrganizationSettings')
  const save = () =>
    update.mutate(
      { body: form },
      {
        onSuccess: () => {
          accept(form)
          setAsking(false)
          notify({
            text: form.secondFactor === 'required' ? 'A second factor is required' : 'A second factor is optional',
            onUndo: () => update.mutate({ body: { secondFactor: settings.secondFactor } })
          })
        }
      }
    )
  return (
    <>
      <SettingsForm
        title="Sign-in"
        docs="guides/second-factor.md"
        isChanged={changed.length > 0}
        isBusy={update.isPending}
        reason={reason}
        onSave={() => (form.secondFactor === 'required' ? setAsking(true) : save())}
        onDiscard={discard}
        restoredAt={restoredAt}
        before={!isAsking && <FormError error={update.error} fields={[]} />}
      >
        <CheckField
          label="Require a second factor for sign-in with a password"
          isChecked={form.secondFactor === 'required'}
          onChange={(isRequired) => set({ secondFactor: isRequired ? 'required' : 'optional' })}
          hint="An authenticator app or a passkey. API clients have none."
        />
      </SettingsForm>
      <ConfirmDialog
        isOpen={isAsking}
        onClose={() => setAsking(false)}
        title="Require a second factor?"
        action="Require second factor"
        onConfirm={save}
        isBusy={update.isPending}
        error={<FormError error={update.error} fields={[]} />}
      >
        <p>
          People without one must add it at their next sign-in. Sessions without a second factor end at their next use,
          possibly including yours.
        </p>
      </ConfirmDialog>
    </>
  )
}
