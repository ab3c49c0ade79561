import { ApiError, revisionOf } from '@burgee/contract/client'
import type { UpdateVariable, Variable } from '@burgee/contract/schemas'
import { useQueryClient } from '@tanstack/react-query'
import { useParams } from '@tanstack/react-router'
import { type FormEvent, useState } from 'react'
import { issueAt, issueIn } from '../../api/issues.ts'
import { ifMatchRevision, useWrite } from '../../api/query.ts'
import { refetchAfterWrite } from '../../api/refetch.ts'
import { Button } from '../../parts/Button.tsx'
import { CheckField, TextAreaField, TextField } from '../../parts/Field.tsx'
import { FormError } from '../../parts/forms/FormError.tsx'
import { Banner } from '../../parts/States.tsx'
import { notify } from '../../parts/Toasts.ts'
import { parseJsonObject, toText } from '../../parts/values/valueText.ts'
import { SchemaFields } from './SchemaFields.tsx'
import { readSchemaForm, type SchemaForm, toSchemaForm } from './schemaForm.ts'
import styles from './Variables.module.css'

interface Props {
  readonly variable: Variable
  /** Why it cannot be changed. */
  readonly reason: string | undefined
}

const fields = ['name', 'description', 'metadata', 'validationSchema.regexPattern', 'validationSchema.jsonSchema']

/** Name, description and allowed values. Sends what was changed, unless the variable has changed since. */
export function VariableForm({ variable, reason }: Props) {
  const { project = '' } = useParams({ strict: false })
  const client = useQueryClient()
  const save = useWrite('updateVariable')
  const [started, setStarted] = useState(variable)
  const [name, setName] = useState(variable.name ?? '')
  const [description, setDescription] = useState(variable.description ?? '')
  const [isPersistent, setPersistent] = useState(variable.persistent ?? false)
  const [schema, setSchema] = useState(() => toSchemaForm(variable))
  const [metadata, setMetadata] = useState(variable.metadata ? toText(variable.metadata) : '')
  const [problems, setProblems] = useState<Partial<Record<keyof SchemaForm | 'metadata', string>>>({})
  const isConflict = save.error instanceof ApiError && save.error.errorType === 'ERR_REVISION'
  const submit = (event: FormEvent) => {
    event.preventDefault()
    const read = readSchemaForm(variable.type, schema)
    if ('problems' in read) return setProblems(read.problems)
    const flags = metadata.trim() === '' ? { value: null } : parseJsonObject(metadata)
    if ('problem' in flags) return setProblems({ metadata: flags.problem })
    setProblems({})
    const revision = revisionOf(started)
    const body: UpdateVariable = {
      ...(name ? { name } : {}),
      description,
      persistent: isPersistent,
      validationSchema: read.schema,
      // The server checks its members.
      metadata: flags.value as UpdateVariable['metadata'] & {}
    }
    save.mutate(
      { params: { project, key: variable.key }, headers: ifMatchRevision(revision), body },
      {
        onSuccess: (saved) => {
          setStarted(saved)
          notify({ text: 'Saved' })
        },
        onError: () => void refetchAfterWrite(client, { queryKey: ['getVariable'] })
      }
    )
  }
  const keepMine = () => {
    setStarted(variable)
    save.reset()
  }
  return (
    <form onSubmit={submit} className={styles.form} noValidate>
      <TextField label="Name" value={name} onChange={setName} error={issueAt(save.error, 'name')} />
      <TextAreaField
        label="Description"
        value={description}
        onChange={setDescription}
        error={issueAt(save.error, 'description')}
      />
      <SchemaFields
        type={variable.type}
        form={schema}
        problems={{
          pattern: issueAt(save.error, 'validationSchema.regexPattern'),
          json: issueAt(save.error, 'validationSchema.jsonSchema'),
          ...problems
        }}
        onChange={setSchema}
      />
      <CheckField
        label="Permanent"
        hint="Applications keep reading the variable after its feature is complete."
        isChecked={isPersistent}
        onChange={setPersistent}
      />
      <TextAreaField
        label="Metadata"
        isCode
        value={metadata}
        onChange={setMetadata}
        placeholder={'{ "owner": "payments" }'}
        hint="A JSON object of texts, numbers and Booleans, which OpenFeature clients receive as flag metadata."
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
