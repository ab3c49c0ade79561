import { useEffect, useRef } from 'react'

interface Keys {
  readonly onSave: () => void
  readonly onUndo: () => void
  readonly onRedo: () => void
}

/** Ctrl or ⌘ with S and Z. In a field with text, Z is the browser's own. */
export function useEditorKeys(keys: Keys): void {
  const newest = useRef(keys)
  useEffect(() => {
    newest.current = keys
  })
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      const key = event.key.toLowerCase()
      if (!(event.ctrlKey || event.metaKey) || event.altKey || document.querySelector('[data-modal]')) return
      if (key === 's') {
        event.preventDefault()
        newest.current.onSave()
      } else if (key === 'z' && !isWriting(event.target)) {
        event.preventDefault()
        if (event.shiftKey) newest.current.onRedo()
        else newest.current.onUndo()
      }
    }
    document.addEventListener('keydown', onKey)
    return () => document.removeEventListener('keydown', onKey)
  }, [])
}

function isWriting(target: EventTarget | null): boolean {
  return (
    target instanceof HTMLElement && target.matches('textarea, input:not([type=range], [type=radio], [type=checkbox])')
  )
}
