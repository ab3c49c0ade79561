import { ApiError, revisionOf } from '@burgee/contract/client'
import type { UpdateVariable, Variable } from '@burgee/contract/schemas'
import { useQueryClient } from '@tanstack/react-query'
import { useParams } from '@tanstack/react-router'
import { type FormEvent, useState } from 'react'
import { issueAt, issueIn } from '../../api/issues.ts'
import { ifMatchRevision, useWrite } from '../../api/query.ts'
import { refetchAfterWrite } from '../../api/refetch.ts'
import { Button } from '../../components/Button.tsx'
import { CheckField, TextAreaField, TextField } from '../../components/Field.tsx'
import { FormError } from '../../components/forms/FormError.tsx'
import { Banner } from '../../components/States.tsx'
import { notify } from '../../components/Toasts.ts'
import { parseJsonObject, toText } from '../../components/values/valueText.ts'
import { SchemaFields } from './SchemaFields.tsx'
import { readSchemaForm, type SchemaForm, toSchemaForm } from './schemaForm.ts'
import styles from './Variables.module.css'

interface Props {
  readonly variable: Variable
  /** Why it cannot be changed. */
  readonly reason: string | undefined
}

const fields = ['name', 'description', 'metadata', 'validationSchema.regexPattern', 'validationSchema.jsonSchema']

interface VariableDraft {
  readonly name: string
  readonly description: string
  readonly isPersistent: boolean
  readonly schema: SchemaForm
  readonly metadata: string
}

/** Name, description and allowed values. Sends what was changed, unless the variable has changed since. */
export function VariableForm({ variable, reason }: Props) {
  const { form, set, problems, save, isConflict, submit, keepMine } = useVariableForm(variable)
  return (
    <form onSubmit={submit} className={styles.form} noValidate>
      <TextField
        label="Name"
        value={form.name}
        onChange={(name) => set({ name })}
        error={issueAt(save.error, 'name')}
      />
      <TextAreaField
        label="Description"
        value={form.description}
        onChange={(description) => set({ description })}
        error={issueAt(save.error, 'description')}
      />
      <SchemaFields
        type={variable.type}
        form={form.schema}
        problems={{
          pattern: issueAt(save.error, 'validationSchema.regexPattern'),
          json: issueAt(save.error, 'validationSchema.jsonSchema'),
          ...problems
        }}
        onChange={(schema) => set({ schema })}
      />
      <CheckField
        label="Permanent"
        hint="Applications keep reading the variable after its feature is complete."
        isChecked={form.isPersistent}
        onChange={(isPersistent) => set({ isPersistent })}
      />
      <TextAreaField
        label="Metadata"
        isCode
        value={form.metadata}
        onChange={(metadata) => set({ metadata })}
        placeholder={'{ "owner": "payments" }'}
        hint="A JSON object of strings, numbers and Booleans, which OpenFeature clients receive as flag metadata."
        error={problems.metadata ?? issueIn(save.error, 'metadata')}
      />
      {isConflict ? (
        <Banner>
          <span>Another person changed this variable. Your input is kept.</span>
          <Button onClick={keepMine}>Overwrite with mine</Button>
        </Banner>
      ) : (
        <FormError error={save.error} fields={fields} />
      )}
      <div className={styles.buttons}>
        <Button type="submit" kind="primary" isBusy={save.isPending} reason={reason}>
          Save
        </Button>
      </div>
    </form>
  )
}

/** The input, its validation errors, and the request that saves it. */
function useVariableForm(variable: Variable) {
  const { project = '' } = useParams({ strict: false })
  const client = useQueryClient()
  const save = useWrite('updateVariable')
  const [started, setStarted] = useState(variable)
  const [form, setForm] = useState<VariableDraft>(() => ({
    name: variable.name ?? '',
    description: variable.description ?? '',
    isPersistent: variable.persistent ?? false,
    schema: toSchemaForm(variable),
    metadata: variable.metadata ? toText(variable.metadata) : ''
  }))
  const [problems, setProblems] = useState<Partial<Record<keyof SchemaForm | 'metadata', string>>>({})
  const submit = (event: FormEvent) => {
    event.preventDefault()
    const read = readSchemaForm(variable.type, form.schema)
    if ('problems' in read) return setProblems(read.problems)
    const flags = form.metadata.trim() === '' ? { value: null } : parseJsonObject(form.metadata)
    if ('problem' in flags) return setProblems({ metadata: flags.problem })
    setProblems({})
    const body: UpdateVariable = {
      ...(form.name ? { name: form.name } : {}),
      description: form.description,
      persistent: form.isPersistent,
      validationSchema: read.schema,
      // The server checks its members.
      metadata: flags.value as UpdateVariable['metadata'] & {}
    }
    save.mutate(
      { params: { project, key: variable.key }, headers: ifMatchRevision(revisionOf(started)), body },
      {
        onSuccess: (saved) => {
          setStarted(saved)
          notify({ text: `Saved ${saved.key}` })
        },
        onError: () => void refetchAfterWrite(client, { queryKey: ['getVariable'] })
      }
    )
  }
  const keepMine = () => {
    setStarted(variable)
    save.reset()
  }
  const isConflict = save.error instanceof ApiError && save.error.errorType === 'ERR_REVISION'
  const set = (change: Partial<VariableDraft>) => setForm((current) => ({ ...current, ...change }))
  return { form, set, problems, save, isConflict, submit, keepMine }
}
