import { Dialog as Base } from '@base-ui/react/dialog'
import { X } from 'lucide-react'
import { type FormEvent, type ReactNode, type RefObject, useState } from 'react'
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

/** A modal dialog: takes the focus, returns it when it closes, and closes with Escape. */
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
  return (
    <Base.Root open={isOpen} onOpenChange={(open) => open || isHeld || onClose()}>
      <Base.Portal>
        <Base.Backdrop className={styles.scrim} />
        <Base.Popup
          data-modal
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

interface ConfirmProps {
  readonly isOpen: boolean
  readonly onClose: () => void
  readonly title: string
  readonly children: ReactNode
  /** Names the action, as in "Delete new-checkout". */
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
