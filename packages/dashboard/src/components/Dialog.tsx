import { Dialog as Base } from '@base-ui/react/dialog'
import { X } from 'lucide-react'
import { type FormEvent, type ReactNode, type RefObject, type SyntheticEvent, useEffect, useRef, useState } from 'react'
import { Button } from './Button.tsx'
import styles from './Dialog.module.css'
import { TextField } from './Field.tsx'

interface Props {
  readonly isOpen: boolean
  readonly onClose: () => void
  readonly title: string
  readonly children: ReactNode
  /** The row of buttons at the end. */
  readonly actions?: ReactNode
  /** `sheet` comes from the side and is as high as the page; it fills phones. */
  readonly shape?: 'box' | 'sheet' | 'wide'
  /** Whether it stays open until one of its actions closes it. */
  readonly isHeld?: boolean
  /** What has the focus first. The first control by default. */
  readonly initialFocus?: RefObject<HTMLElement | null>
}

/**
 * A modal dialog: takes the focus, returns it when it closes, and closes with Escape. A press beside it closes it unless it
 * has a form: what is typed is not lost by a slip, nor by the second click of the double click that opened it.
 */
export function Dialog({
  isOpen,
  onClose,
  title,
  children,
  actions,
  shape = 'box',
  isHeld = false,
  initialFocus
}: Props) {
  const popup = useRef<HTMLDivElement>(null)
  const finalFocus = useReturnFocus(isOpen, popup)
  const onOpenChange = (open: boolean, { reason }: Base.Root.ChangeEventDetails) => {
    const isSlip = reason === 'outside-press' && popup.current?.querySelector('form') !== null
    if (!(open || isHeld || isSlip)) onClose()
  }
  return (
    <Base.Root open={isOpen} onOpenChange={onOpenChange}>
      <Base.Portal>
        <Base.Backdrop className={styles.scrim} onMouseDown={keepFocus} />
        <Base.Popup
          ref={popup}
          data-modal
          finalFocus={finalFocus}
          className={`${styles.popup} ${styles[shape]}`}
          {...(initialFocus ? { initialFocus } : {})}
        >
          <header className={styles.head}>
            <Base.Title className={styles.title}>{title}</Base.Title>
            {!isHeld && (
              <Base.Close className={styles.close} aria-label="Close">
                <X size={18} aria-hidden="true" />
              </Base.Close>
            )}
          </header>
          <div className={styles.body}>{children}</div>
          {actions && (
            <footer data-actions className={styles.foot}>
              {actions}
            </footer>
          )}
        </Base.Popup>
      </Base.Portal>
    </Base.Root>
  )
}

/** Pressing outside a dialog that stays open does not move the focus. */
function keepFocus(event: SyntheticEvent): void {
  event.preventDefault()
}

/** The element that opened each dialog, then the element that opened the dialog around it. */
const openersOf = new WeakMap<Element, readonly Element[]>()

/**
 * Returns where the focus goes when a dialog closes: to the control that opened it, also if another dialog preceded it, or to
 * the heading of the page if the action of the dialog has removed that control. Base UI looks for that control after an `autoFocus` of the dialog has moved the focus already.
 */
function useReturnFocus(isOpen: boolean, popup: RefObject<HTMLElement | null>) {
  const [state, setState] = useState({ isOpen: false, openers: [] as readonly Element[] })
  const { openers } = state
  if (isOpen !== state.isOpen) setState({ isOpen, openers: isOpen ? findOpeners() : openers })
  // With each rendering: the popup is not in the document yet after the first one.
  useEffect(() => {
    if (popup.current) openersOf.set(popup.current, openers)
  })
  return () => {
    const { activeElement, body } = document
    const isElsewhere = activeElement !== body && !popup.current?.contains(activeElement)
    if (isElsewhere) return false
    const opener = openers.find((one) => one.isConnected && one !== body && one.closest('[role=menu]') === null)
    return opener instanceof HTMLElement ? opener : document.querySelector<HTMLElement>('main h1')
  }
}

function findOpeners(): readonly Element[] {
  const { activeElement } = document
  if (!activeElement) return []
  const before = activeElement.closest('[data-modal]')
  return [activeElement, ...((before && openersOf.get(before)) ?? [])]
}

interface ConfirmProps {
  readonly isOpen: boolean
  readonly onClose: () => void
  readonly title: string
  readonly children: ReactNode
  /** Names the action, for example "Delete new-checkout". */
  readonly action: string
  readonly onConfirm: () => void
  readonly isBusy?: boolean
  readonly isDangerous?: boolean
  /** A text that has to be typed first, as in the key of what is deleted. */
  readonly typed?: string
  readonly error?: ReactNode
}

/** Asks for confirmation. The focus starts at Cancel or at the text to type. */
export function ConfirmDialog({
  isOpen,
  onClose,
  title,
  children,
  action,
  onConfirm,
  isBusy = false,
  isDangerous = false,
  typed,
  error
}: ConfirmProps) {
  const [text, setText] = useState('')
  const isReady = typed === undefined || text === typed
  const close = () => {
    setText('')
    onClose()
  }
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (isReady && !isBusy) onConfirm()
  }
  return (
    <Dialog isOpen={isOpen} onClose={close} title={title}>
      <form onSubmit={submit} className={styles.form}>
        {children}
        {error}
        <DialogButtons>
          {typed !== undefined && (
            <div className={styles.typed}>
              <TextField label={`Type ${typed} to confirm`} value={text} onChange={setText} isCode autoFocus />
            </div>
          )}
          <Button onClick={close} autoFocus={typed === undefined}>
            Cancel
          </Button>
          <Button
            type="submit"
            kind={isDangerous ? 'danger' : 'primary'}
            isBusy={isBusy}
            reason={isReady ? undefined : `type ${typed} first`}
          >
            {action}
          </Button>
        </DialogButtons>
      </form>
    </Dialog>
  )
}

/** The buttons at the end of a dialog, below the text to type if there is one. They stay in sight while what is above them scrolls. */
export function DialogButtons({ children }: { readonly children: ReactNode }) {
  return (
    <div data-actions className={styles.buttons}>
      {children}
    </div>
  )
}
