import { ApiError, revisionOf } from '@burgee/contract/client'
import type { CreateCustomProperty, CustomProperty } from '@burgee/contract/schemas'
import { useParams } from '@tanstack/react-router'
import { type FormEvent, useState } from 'react'
import { ifMatchRevision, issueAt, useRead, useWrite } from '../../api/query.ts'
import { Button } from '../../parts/Button.tsx'
import { Dialog, DialogButtons } from '../../parts/Dialog.tsx'
import { CheckField, SelectField, TextAreaField, TextField } from '../../parts/Field.tsx'
import { FormError } from '../../parts/forms/FormError.tsx'
import { toKey } from '../../parts/forms/toKey.ts'
import { Banner } from '../../parts/States.tsx'
import { notify } from '../../parts/Toasts.ts'
import styles from './CustomProperties.module.css'
import { type PropertyForm, readPropertySchema, toPropertyForm } from './propertyForm.ts'

interface Props {
  /** Absent for a new one. */
  readonly property?: CustomProperty
  readonly onClose: () => void
}

const fields = ['name', 'key', 'propertyKey']

/** What a custom property is called, and which values it has. */
export function PropertyDialog({ property, onClose }: Props) {
  const [form, setForm] = useState(() => toPropertyForm(property))
  const [problem, setProblem] = useState<string>()
  const { save, error, isPending, isConflict, keepMine } = useSaveProperty(property, onClose)
  const set = (change: Partial<PropertyForm>) => setForm({ ...form, ...change })
  const key = form.key ?? toKey(form.name)
  const propertyKey = form.propertyKey ?? key
  const submit = (event: FormEvent) => {
    event.preventDefault()
    const read = readPropertySchema(form)
    if ('problem' in read) return setProblem(read.problem)
    setProblem(undefined)
    if (!isPending) save({ name: form.name, key, propertyKey, type: form.type, schema: read.schema })
  }
  return (
    <Dialog isOpen onClose={onClose} title={property ? 'Custom property' : 'New custom property'}>
      <form onSubmit={submit} className={styles.form} noValidate>
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
          hint="Names it in the API: a–z, 0–9, “-”, “_” and “.”"
          error={issueAt(error, 'key')}
        />
        <TextField
          label="Name in customData"
          value={propertyKey}
          onChange={(next) => set({ propertyKey: next })}
          isCode
          hint="What applications send, spelled exactly alike."
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
              hint="One on each line, with a label if you like: pro = Professional. Empty: all values."
              error={problem}
            />
            {form.values.trim() !== '' && (
              <CheckField
                label="Other values are possible too"
                isChecked={form.allowsOthers}
                onChange={(allowsOthers) => set({ allowsOthers })}
              />
            )}
          </>
        )}
        <CheckField
          label="Every user has it"
          hint="Generated types then require it."
          isChecked={form.isRequired}
          onChange={(isRequired) => set({ isRequired })}
        />
        {isConflict ? (
          <Banner>
            <span>Another person changed this custom property. What you typed is kept.</span>
            <Button onClick={keepMine}>Save mine instead</Button>
          </Banner>
        ) : (
          <FormError error={error} fields={fields} />
        )}
        <DialogButtons>
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" kind="primary" isBusy={isPending}>
            {property ? 'Save' : 'Create custom property'}
          </Button>
        </DialogButtons>
      </form>
    </Dialog>
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
