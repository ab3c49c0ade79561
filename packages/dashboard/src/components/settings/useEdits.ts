import { useEffect } from 'react'
import { useSession } from '../../api/session.ts'
import type { Version } from '../../draft/draftState.ts'
import { isSame } from '../../draft/structure.ts'
import { useDraft } from '../../draft/useDraft.ts'

/** A form over what is saved: the edits win, and the rest follows what is read. */
export interface Edits<Form extends object> {
  readonly form: Form
  /** The members whose value differs from what is saved. */
  readonly changed: readonly (keyof Form)[]
  readonly set: (edit: Partial<Form>) => void
  readonly discard: () => void
  /** Adopts the saved values before the page has read them. Later edits are kept. */
  readonly accept: (saved: Form) => void
  /** When the edits that a reload restored were kept. */
  readonly restoredAt: number | undefined
}

/** Forms of settings hold what the API has. */
const codec = { toDraft: <Form>(version: Form) => version, toApi: <Form>(form: Form) => form }

/**
 * Holds the changes to a form, and keeps them over a reload. `resource` names the form, for example
 * `settings/65f0…/opt-in`.
 */
export function useEdits<Form extends object>(resource: string, saved: Form): Edits<Form> {
  const { user } = useSession()
  const revision = JSON.stringify(saved)
  const version = { base: saved, revision }
  const draft = useDraft<Form, Form>({ codec, ...version, address: { user: user.id, resource } })
  const adopt = (version: Version<Form>) => {
    const merge = draft.rebase(version)
    if (merge.type === 'merged') return
    draft.rebase(version, Object.fromEntries(merge.conflicts.map(({ id }) => [id, 'mine'])))
  }
  // Saving takes the revision that the page shows: what another person saved meanwhile has to be on the page.
  useEffect(() => {
    if (draft.isBehind) adopt(version)
  })
  // The names of the properties of a form are its keys.
  const names = Object.keys(draft.value) as (keyof Form)[]
  return {
    form: draft.value,
    changed: names.filter((name) => !isSame(draft.base[name], draft.value[name])),
    set: (edit) => draft.set((current) => ({ ...current, ...edit })),
    discard: draft.discard,
    accept: (form) => adopt({ base: form, revision: JSON.stringify(form) }),
    restoredAt: draft.isDirty ? draft.restoredAt : undefined
  }
}
