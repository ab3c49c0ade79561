import { useBlocker } from '@tanstack/react-router'
import { createContext, type ReactNode, useContext, useEffect, useMemo, useState } from 'react'
import { ConfirmDialog } from '../Dialog.tsx'

type Note = (name: string, isUnsaved: boolean) => void

const Unsaved = createContext<Note>(() => undefined)

/** Asks before the person leaves the page with unsaved changes. */
export function UnsavedGuard({ children }: { readonly children: ReactNode }) {
  const [names, setNames] = useState<ReadonlySet<string>>(new Set())
  const note = useMemo<Note>(
    () => (name, isUnsaved) =>
      setNames((current) => {
        if (current.has(name) === isUnsaved) return current
        return new Set(isUnsaved ? [...current, name] : [...current].filter((other) => other !== name))
      }),
    []
  )
  const hasUnsaved = names.size > 0
  const blocker = useBlocker({
    shouldBlockFn: ({ current, next }) => hasUnsaved && current.pathname !== next.pathname,
    enableBeforeUnload: hasUnsaved,
    withResolver: true
  })
  return (
    <Unsaved.Provider value={note}>
      {children}
      <ConfirmDialog
        isOpen={blocker.status === 'blocked'}
        onClose={() => blocker.reset?.()}
        title="Leave without saving?"
        action="Discard and leave"
        onConfirm={() => blocker.proceed?.()}
      >
        <p>Unsaved changes: {new Intl.ListFormat('en').format(names)}.</p>
      </ConfirmDialog>
    </Unsaved.Provider>
  )
}

/** Reports to the guard above whether a part of the page has unsaved changes. */
export function useUnsaved(name: string, isUnsaved: boolean): void {
  const note = useContext(Unsaved)
  useEffect(() => {
    note(name, isUnsaved)
    return () => note(name, false)
  }, [note, name, isUnsaved])
}
