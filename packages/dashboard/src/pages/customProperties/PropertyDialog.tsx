import { ApiError, revisionOf } from '@burgee/contract/client'
import type { CreateCustomProperty, CustomProperty } from '@burgee/contract/schemas'
import { useParams } from '@tanstack/react-router'
import { useState } from 'react'
import { ifMatchRevision, issueAt, useRead, useWrite } from '../../api/query.ts'
import { Button } from '../../components/Button.tsx'
import { CheckField, SelectField, TextAreaField, TextField } from '../../components/Field.tsx'
import { FormDialog } from '../../components/forms/FormDialog.tsx'
import { KEY_CHARACTERS, toKey } from '../../components/forms/toKey.ts'
import { Banner } from '../../components/States.tsx'
import { notify } from '../../components/Toasts.ts'
import { type PropertyForm, readPropertySchema, toPropertyForm } from './propertyForm.ts'

interface Props {
  /** Absent for a new one. */
  readonly property?: CustomProperty
  readonly onClose: () => void
}

const fields = ['name', 'key', 'propertyKey']

/** The name, key, type and allowed values of a custom property. */
export function PropertyDialog({ property, onClose }: Props) {
  const [form, setForm] = useState(() => toPropertyForm(property))
  const [problem, setProblem] = useState<string>()
  const { save, error, isPending, isConflict, keepMine } = useSaveProperty(property, onClose)
  const set = (change: Partial<PropertyForm>) => setForm({ ...form, ...change })
  const key = form.key ?? toKey(form.name)
  const propertyKey = form.propertyKey ?? key
  const submit = () => {
    const read = readPropertySchema(form)
    if ('problem' in read) return setProblem(read.problem)
    setProblem(undefined)
    save({ name: form.name, key, propertyKey, type: form.type, schema: read.schema })
  }
  return (
    <FormDialog
      onClose={onClose}
      title={property ? `Change ${property.name.slice(0, 80)}` : 'New custom property'}
      action={property ? 'Save' : 'Create custom property'}
      onSubmit={submit}
      isBusy={isPending}
      error={isConflict ? null : error}
      fields={fields}
    >
      <TextField
        label="Name"
        value={form.name}
        onChange={(name) => set({ name })}
        error={issueAt(error, 'name')}
        autoFocus
      />
      <TextField
        label="Key"
        value={key}
        onChange={(next) => set({ key: next })}
        isCode
        hint={`Identifies the property in the API: ${KEY_CHARACTERS}`}
        error={issueAt(error, 'key')}
      />
      <TextField
        label="Name in customData"
        value={propertyKey}
        onChange={(next) => set({ propertyKey: next })}
        isCode
        hint="The name that applications send, with the same spelling."
        error={issueAt(error, 'propertyKey')}
      />
      <SelectField
        label="Type"
        value={form.type}
        options={(['String', 'Number', 'Boolean'] as const).map((value) => ({ value, label: value }))}
        onChange={(type) => set({ type })}
      />
      {form.type !== 'Boolean' && (
        <>
          <TextAreaField
            label="Allowed values"
            value={form.values}
            onChange={(values) => set({ values })}
            isCode
            hint="One per line, optionally with a label: pro = Professional. Leave empty to allow all values."
            error={problem}
          />
          {form.values.trim() !== '' && (
            <CheckField
              label="Allow other values"
              isChecked={form.allowsOthers}
              onChange={(allowsOthers) => set({ allowsOthers })}
            />
          )}
        </>
      )}
      <CheckField
        label="Required"
        hint="Every user has it, and generated types require it."
        isChecked={form.isRequired}
        onChange={(isRequired) => set({ isRequired })}
      />
      {isConflict && (
        <Banner>
          <span>Another person changed this custom property. Your input is kept.</span>
          <Button onClick={keepMine}>Overwrite with mine</Button>
        </Banner>
      )}
    </FormDialog>
  )
}

/** Creates a custom property, or changes the version that was opened. */
function useSaveProperty(property: CustomProperty | undefined, onClose: () => void) {
  const { project = '' } = useParams({ strict: false })
  const create = useWrite('createCustomProperty')
  const update = useWrite('updateCustomProperty')
  const params = { project, key: property?._id ?? '' }
  // Lists have no revision, so the one item is read when the dialog opens.
  const current = useRead('getCustomProperty', { params }, { enabled: property !== undefined })
  const [opened, setOpened] = useState<CustomProperty>()
  if (!opened && current.data) setOpened(current.data)
  const { error } = property ? update : create
  const done = () => {
    notify({ text: property ? 'Saved' : 'Created' })
    onClose()
  }
  const save = (body: CreateCustomProperty) => {
    if (!property) return create.mutate({ params: { project }, body }, { onSuccess: done })
    const revision = opened && revisionOf(opened)
    update.mutate(
      { params, headers: ifMatchRevision(revision), body },
      { onSuccess: done, onError: () => void current.refetch() }
    )
  }
  const keepMine = () => {
    setOpened(current.data)
    update.reset()
  }
  const isConflict = error instanceof ApiError && error.errorType === 'ERR_REVISION'
  return { save, error, isPending: create.isPending || update.isPending, isConflict, keepMine }
}
