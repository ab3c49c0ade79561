import { Toast } from '@base-ui/react/toast'
import { X } from 'lucide-react'
import { type FocusEvent, type RefObject, useEffect, useRef } from 'react'
import { connectNotices, type Notice } from '../Toasts.ts'
import { placeAboveActions } from './placeAboveActions.ts'
import styles from './ToastList.module.css'

const manager = Toast.createToastManager()

function add({ text, id: known, onUndo }: Notice): void {
  const id = manager.add({
    ...(known === undefined ? {} : { id: known }),
    title: text,
    timeout: 10_000,
    ...(onUndo
      ? {
          actionProps: {
            children: 'Undo',
            onClick: () => {
              manager.close(id)
              returnFocus()
              onUndo()
            }
          }
        }
      : {})
  })
}

/** What had the focus before a notice. */
let focusedBefore: Element | null = null

function rememberFocus({ currentTarget, relatedTarget }: FocusEvent<HTMLElement>): void {
  if (!currentTarget.contains(relatedTarget)) focusedBefore = relatedTarget
}

/** Returns the focus from a notice that closes, to the heading of the page if the earlier element is gone. */
function returnFocus(): void {
  const earlier = focusedBefore?.isConnected ? focusedBefore : document.querySelector('main h1')
  if (earlier instanceof HTMLElement) earlier.focus({ preventScroll: true })
}

/** The notices, at the bottom of the window. */
export function ToastList() {
  // The manager drops what is added before its provider has subscribed, which the provider's own effect does.
  useEffect(() => connectNotices(add), [])
  return (
    <Toast.Provider toastManager={manager} limit={3}>
      <Toast.Portal>
        <Toasts />
      </Toast.Portal>
    </Toast.Provider>
  )
}

function Toasts() {
  const { toasts } = Toast.useToastManager()
  const list = useRef<HTMLDivElement>(null)
  useClearOfActions(list, toasts.length > 0)
  return (
    <Toast.Viewport ref={list} className={styles.viewport} onFocus={rememberFocus}>
      {toasts.map((toast) => (
        <Toast.Root key={toast.id} toast={toast} className={styles.toast}>
          <Toast.Content className={styles.content}>
            <Toast.Title className={styles.title} />
            <Toast.Action className={styles.action} />
            <Toast.Close className={styles.close} aria-label="Close">
              <X size={16} aria-hidden="true" />
            </Toast.Close>
          </Toast.Content>
        </Toast.Root>
      ))}
    </Toast.Viewport>
  )
}

/** Keeps notices clear of the rows of buttons while they are shown: rows appear, scroll and go. */
function useClearOfActions(list: RefObject<HTMLDivElement | null>, isShown: boolean): void {
  useEffect(() => {
    if (!isShown) return
    let frame: number
    const place = () => {
      const element = list.current
      // A notice stays below the pointer that reaches for it.
      if (element && !element.matches(':hover'))
        element.style.insetBlockEnd = `${placeAboveActions(element.getBoundingClientRect())}px`
      frame = requestAnimationFrame(place)
    }
    place()
    return () => cancelAnimationFrame(frame)
  }, [list, isShown])
}
