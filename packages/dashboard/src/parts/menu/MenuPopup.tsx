import { Menu as Base } from '@base-ui/react/menu'
import type { ReactElement, ReactNode, RefObject } from 'react'
import styles from './Menu.module.css'

interface Props {
  /** The button that opens the menu. The menu is beside it, and returns the focus to it. */
  readonly button: RefObject<HTMLElement | null>
  readonly labelledBy: string
  readonly isOpen: boolean
  readonly onClose: () => void
  readonly align: 'start' | 'end'
  readonly children: ReactNode
}

/** The items of a menu, below its button. */
export function MenuPopup({ button, labelledBy, isOpen, onClose, align, children }: Props) {
  // Within the page or the dialog of the button: those who move between landmarks miss what is after the last one.
  const container = {
    get current() {
      return button.current?.closest<HTMLElement>('[role="dialog"]') ?? document.getElementById('page')
    }
  }
  return (
    <Base.Root open={isOpen} onOpenChange={(isOpening) => isOpening || onClose()}>
      <Base.Portal container={container}>
        <Base.Positioner anchor={button} className={styles.positioner} align={align} sideOffset={4}>
          <Base.Popup className={styles.popup} aria-labelledby={labelledBy} finalFocus={button}>
            {children}
          </Base.Popup>
        </Base.Positioner>
      </Base.Portal>
    </Base.Root>
  )
}

interface ItemProps {
  readonly children: ReactNode
  readonly onSelect?: () => void
  /** A link instead of an action. */
  readonly link?: ReactElement
  readonly isDangerous?: boolean
  readonly isCurrent?: boolean
  /** Why it cannot be chosen, for everybody to read. */
  readonly reason?: string | undefined
}

export function MenuItem({ children, onSelect, link, isDangerous, isCurrent, reason }: ItemProps) {
  return (
    <Base.Item
      className={`${styles.item} ${isDangerous ? styles.danger : ''}`}
      {...(onSelect ? { onClick: onSelect } : {})}
      {...(link ? { render: link as ReactElement<Record<string, unknown>> } : {})}
      {...(isCurrent ? { 'aria-current': true } : {})}
      disabled={reason !== undefined}
    >
      {reason === undefined ? (
        children
      ) : (
        <span>
          {children}
          <span className={styles.reason}>{reason}</span>
        </span>
      )}
    </Base.Item>
  )
}

export function MenuSeparator() {
  return <Base.Separator className={styles.separator} />
}

/** A heading for the items after it. */
export function MenuHeading({ children }: { readonly children: ReactNode }) {
  return <div className={styles.heading}>{children}</div>
}
