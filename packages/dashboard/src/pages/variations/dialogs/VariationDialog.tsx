import { useState } from 'react'
import { SelectField, TextField } from '../../../components/Field.tsx'
import { FormDialog } from '../../../components/forms/FormDialog.tsx'
import { KEY_CHARACTERS, toKey } from '../../../components/forms/toKey.ts'
import { type Matrix, type MatrixRow, rowId } from '../matrix.ts'

interface Props {
  readonly matrix: Matrix
  /** The variation to rename; absent for a new one. */
  readonly row?: MatrixRow
  readonly onClose: () => void
  readonly onApply: (row: MatrixRow) => void
}

/** Name and key of a variation, and for a new one the variation whose values it starts with. */
export function VariationDialog({ matrix, row, onClose, onApply }: Props) {
  const [name, setName] = useState(row?.name ?? '')
  const [typedKey, setTypedKey] = useState(row?.key)
  const [source, setSource] = useState(matrix.control || firstId(matrix))
  const [isSubmitted, setSubmitted] = useState(false)
  const key = typedKey ?? toKey(name)
  const problems = findProblems(matrix, { name, key }, row)
  const submit = () => {
    setSubmitted(true)
    if (problems.name || problems.key) return
    const variables = matrix.variations.find((each) => rowId(each) === source)?.variables ?? {}
    onApply(row ? { ...row, name, key } : { name, key, variables })
    onClose()
  }
  return (
    <FormDialog
      onClose={onClose}
      title={row ? `Variation ${row.name}` : 'New variation'}
      action={row ? 'Apply' : 'Add variation'}
      onSubmit={submit}
    >
      <TextField
        label="Name"
        value={name}
        onChange={setName}
        error={isSubmitted ? problems.name : undefined}
        autoFocus
      />
      <TextField
        label="Key"
        value={key}
        onChange={setTypedKey}
        isCode
        hint={`Identifies the variation in the API: ${KEY_CHARACTERS}`}
        error={isSubmitted ? problems.key : undefined}
      />
      {!row && matrix.variations.length > 0 && (
        <SelectField
          label="Starts with the values of"
          value={source}
          options={matrix.variations.map((each) => ({ value: rowId(each), label: each.name.slice(0, 80) }))}
          onChange={setSource}
        />
      )}
    </FormDialog>
  )
}

function firstId({ variations }: Matrix): string {
  return variations[0] ? rowId(variations[0]) : ''
}

function findProblems(matrix: Matrix, { name, key }: { readonly name: string; readonly key: string }, row?: MatrixRow) {
  const others = matrix.variations.filter((each) => !row || rowId(each) !== rowId(row))
  return {
    name:
      name.trim() === '' ? 'The variation needs a name.' : name.length > 100 ? 'At most 100 characters.' : undefined,
    key: !/^[a-z0-9\-_.]{1,100}$/.test(key)
      ? `A key has 1 to 100 characters of ${KEY_CHARACTERS}`
      : others.some((each) => each.key === key)
        ? 'Another variation of this feature has this key.'
        : undefined
  }
}
