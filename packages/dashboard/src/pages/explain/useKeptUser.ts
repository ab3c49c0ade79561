import { useCallback, useState } from 'react'
import type { FormUser } from '../../components/explanation/parseUser.ts'
import { emptyUserForm, type UserForm } from './userForm.ts'

/** The typed user and the one that was asked about last. */
interface Kept {
  readonly form: UserForm
  readonly asked?: FormUser
}

/**
 * The first or the second user of the page. Users are personal data: they stay in this tab until the sign-out, and are
 * never part of the address.
 */
export function useKeptUser(project: string, position: 'first' | 'second') {
  const name = `burgee.explain.${position}.${project}`
  const [kept, setKept] = useState(() => load(name))
  const keep = useCallback(
    (next: Kept) => {
      setKept(next)
      try {
        sessionStorage.setItem(name, JSON.stringify(next))
      } catch {}
    },
    [name]
  )
  return {
    ...kept,
    change: (form: UserForm) => keep({ ...kept, form }),
    ask: (form: UserForm, asked: FormUser) => keep({ form, asked })
  }
}

function load(name: string): Kept {
  try {
    // Only this page writes the entry.
    return (JSON.parse(sessionStorage.getItem(name) ?? 'null') as Kept | null) ?? { form: emptyUserForm }
  } catch {
    return { form: emptyUserForm }
  }
}
