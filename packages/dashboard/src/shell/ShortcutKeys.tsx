import { useNavigate } from '@tanstack/react-router'
import { Suspense, useCallback, useEffect, useEffectEvent, useRef, useState } from 'react'
import { LazyDialog } from '../components/LazyDialog.tsx'
import { lazyPart } from '../lazyPage.ts'
import { shortcuts } from '../preferences/preferences.ts'
import { lettersOf } from './letters.ts'
import { navigation } from './navigation.ts'
import { typeAhead } from './palette/typeAhead.ts'
import styles from './ShortcutKeys.module.css'

const GoToDialog = lazyPart(() => import('./palette/GoToDialog.tsx').then((module) => module.GoToDialog))

/** Keys that open pages after `g`. */
const targets = lettersOf(navigation)

const general = [
  ['/', 'Search on this page'],
  ['?', 'Show this list'],
  ['Ctrl or ⌘ + K', 'Go to a page or a feature'],
  ['Ctrl or ⌘ + S', 'Save'],
  ['Ctrl or ⌘ + Z', 'Undo in a draft'],
  ['F6', 'Go to the latest notice'],
  ['Escape', 'Close']
] as const

interface Props {
  readonly org: string
  readonly project: string | undefined
}

/** Single-key shortcuts, which typing in a field does not trigger, the list of them, and the palette. */
export function ShortcutKeys({ org, project }: Props) {
  const navigate = useNavigate()
  const [isOpen, setOpen] = useState(false)
  const [isGoingTo, setGoingTo] = useState(false)
  const isAfterG = useRef(false)
  const ahead = useTypeAhead(() => setGoingTo(false))
  const { begin } = ahead
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if ((event.ctrlKey || event.metaKey) && event.key === 'k' && project !== undefined) {
        event.preventDefault()
        isAfterG.current = false
        // An open palette takes no text of the page: what is held would stay held.
        if (!isGoingTo) begin()
        setGoingTo(true)
        return
      }
      if (shortcuts.read() === 'off' || event.ctrlKey || event.metaKey || event.altKey || isTyping(event.target)) return
      const target = isAfterG.current ? targets.get(event.key) : undefined
      isAfterG.current = event.key === 'g'
      if (target && project !== undefined) {
        event.preventDefault()
        void navigate({ to: target.to, params: { org, project } })
      } else if (event.key === '?') {
        event.preventDefault()
        setOpen(true)
      } else if (event.key === '/') {
        const search = document.querySelector<HTMLElement>('#page input[type="search"]')
        if (search) event.preventDefault()
        search?.focus()
      }
    }
    document.addEventListener('keydown', onKey)
    return () => document.removeEventListener('keydown', onKey)
  }, [navigate, org, project, begin, isGoingTo])
  return (
    <>
      <LazyDialog isOpen={isOpen} onClose={() => setOpen(false)} title="Keyboard shortcuts">
        <dl className={styles.keys}>
          {general.map(([key, words]) => (
            <Row key={key} keys={key} words={words} />
          ))}
          {[...targets].map(([letter, { title }]) => (
            <Row key={letter} keys={`g ${letter}`} words={title} />
          ))}
        </dl>
      </LazyDialog>
      {isGoingTo && project !== undefined && (
        <Suspense fallback={null}>
          <GoToDialog org={org} project={project} takeTyped={ahead.take} onClose={() => setGoingTo(false)} />
        </Suspense>
      )}
    </>
  )
}

/** Holds what is typed until the code of the palette is loaded. Escape and a press of the pointer cancel. */
function useTypeAhead(onCancel: () => void) {
  const typed = useRef<string>(undefined)
  const take = useCallback(() => {
    const text = typed.current ?? ''
    typed.current = undefined
    return text
  }, [])
  const begin = useCallback(() => {
    typed.current ??= ''
  }, [])
  const cancel = useEffectEvent(() => {
    if (typed.current === undefined) return
    take()
    onCancel()
  })
  useEffect(() => {
    // Before the handlers of the page and of its fields.
    const onKey = (event: KeyboardEvent) => {
      if (typed.current === undefined) return
      const text = typeAhead(typed.current, event)
      if (text !== undefined) typed.current = text
      else if (event.key === 'Escape') cancel()
      else return
      event.preventDefault()
      event.stopPropagation()
    }
    const onPress = () => cancel()
    document.addEventListener('keydown', onKey, true)
    document.addEventListener('pointerdown', onPress, true)
    return () => {
      document.removeEventListener('keydown', onKey, true)
      document.removeEventListener('pointerdown', onPress, true)
    }
  }, [])
  return { begin, take }
}

function Row({ keys, words }: { readonly keys: string; readonly words: string }) {
  return (
    <div>
      <dt>
        <kbd>{keys}</kbd>
      </dt>
      <dd>{words}</dd>
    </div>
  )
}

function isTyping(target: EventTarget | null): boolean {
  return (
    target instanceof HTMLElement &&
    (target.isContentEditable || target.matches('input, textarea, select, [role=grid] *'))
  )
}
