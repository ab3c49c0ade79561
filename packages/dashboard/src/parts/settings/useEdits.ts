import { useState } from 'react'
import { isSame } from '../../draft/structure.ts'

/** A form over what is saved: the edits win, and the rest follows what is read. */
export interface Edits<Form extends object> {
  readonly form: Form
  /** The members whose value differs from what is saved. */
  readonly changed: readonly (keyof Form)[]
  readonly set: (edit: Partial<Form>) => void
  readonly discard: () => void
}

/** Holds what a person changed of a form. */
export function useEdits<Form extends object>(saved: Form): Edits<Form> {
  const [edits, setEdits] = useState<Partial<Form>>({})
  const form = { ...saved, ...edits }
  // The names of the edits are names of members of the form.
  const edited = Object.keys(edits) as (keyof Form)[]
  return {
    form,
    changed: edited.filter((name) => !isSame(saved[name], form[name])),
    set: (edit) => setEdits((current) => ({ ...current, ...edit })),
    discard: () => setEdits({})
  }
}
