import type { CreateVariable, Feature, VariableType } from '@burgee/contract/schemas'
import { useParams } from '@tanstack/react-router'
import { type FormEvent, useState } from 'react'
import { issueAt, useWrite } from '../../api/query.ts'
import { Button } from '../Button.tsx'
import { Dialog, DialogButtons } from '../Dialog.tsx'
import { SelectField, TextField } from '../Field.tsx'
import { FormError } from '../forms/FormError.tsx'
import { toKey } from '../forms/toKey.ts'
import { notify } from '../Toasts.ts'
import { startTexts, ValueField } from './ValueField.tsx'
import styles from './Values.module.css'
import { parseValue } from './valueText.ts'

interface Props {
  /** The feature to add it to. Without one the variable is free. */
  readonly feature?: Feature
  readonly onClose: () => void
}

const types: readonly { readonly value: VariableType; readonly label: string }[] = [
  { value: 'Boolean', label: 'Boolean: true or false' },
  { value: 'String', label: 'String: text' },
  { value: 'Number', label: 'Number' },
  { value: 'JSON', label: 'JSON: an object' }
]

/** Name, key and type of a new variable; in a feature also the value that every variation starts with. */
export function CreateVariableDialog({ feature, onClose }: Props) {
  const { project = '' } = useParams({ strict: false })
  const create = useWrite('createVariable')
  const [name, setName] = useState('')
  const [typedKey, setTypedKey] = useState<string>()
  const [type, setType] = useState<VariableType>('Boolean')
  const [text, setText] = useState(startTexts.Boolean)
  const [problem, setProblem] = useState<string>()
  const key = typedKey ?? toKey(name)
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (create.isPending) return
    const parsed = parseValue(type, text)
    if (feature && 'problem' in parsed) return setProblem(parsed.problem)
    const body: CreateVariable = {
      key,
      type,
      ...(name ? { name } : {}),
      ...(feature && 'value' in parsed ? { _feature: feature.key, defaultValue: parsed.value } : {})
    }
    create.mutate(
      { params: { project }, body },
      {
        onSuccess: () => {
          notify({ text: `Created variable ${key}` })
          onClose()
        }
      }
    )
  }
  return (
    <Dialog isOpen onClose={onClose} title="New variable">
      <form onSubmit={submit} className={styles.form} noValidate>
        <TextField label="Name" value={name} onChange={setName} error={issueAt(create.error, 'name')} autoFocus />
        <TextField
          label="Key"
          value={key}
          onChange={setTypedKey}
          isCode
          hint="What applications read: a–z, 0–9, “-”, “_” and “.”"
          error={issueAt(create.error, 'key')}
        />
        <SelectField
          label="Type"
          value={type}
          options={types}
          onChange={(next) => {
            setType(next)
            setText(startTexts[next])
            setProblem(undefined)
          }}
        />
        {feature && (
          <ValueField
            label="Initial value in every variation"
            type={type}
            text={text}
            onChange={(next) => {
              setText(next)
              setProblem(undefined)
            }}
            error={problem}
          />
        )}
        <FormError error={create.error} fields={['name', 'key']} />
        <DialogButtons>
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" kind="primary" isBusy={create.isPending}>
            Create variable
          </Button>
        </DialogButtons>
      </form>
    </Dialog>
  )
}
