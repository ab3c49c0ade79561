import { Menu as Base } from '@base-ui/react/menu'
import { type ReactElement, type ReactNode, type RefObject, useRef, useState } from 'react'
import styles from './Menu.module.css'

/** How a menu was opened. */
export type MenuOpening = 'pointer' | 'keyboard'

interface Props {
  readonly id: string
  /** The button that opens the menu. The menu is beside it, and returns the focus to it. */
  readonly button: RefObject<HTMLElement | null>
  readonly labelledBy: string
  /** How it was opened: the keyboard goes to the first item at once. */
  readonly openedBy: MenuOpening | undefined
  readonly onClose: () => void
  readonly align: 'start' | 'end'
  readonly children: ReactNode
}

/** The items of a menu, below its button. */
export function MenuPopup({ id, button, labelledBy, openedBy, onClose, align, children }: Props) {
  const popup = useRef<HTMLDivElement>(null)
  // Within the page or the dialog of the button: those who move between landmarks miss what is after the last one.
  const [container] = useState(
    () => button.current?.closest<HTMLElement>('[role="dialog"]') ?? document.getElementById('page')
  )
  const focusFirst = () => popup.current?.querySelector<HTMLElement>('[role="menuitem"]')?.focus()
  return (
    <Base.Root
      open={openedBy !== undefined}
      onOpenChange={(isOpening) => isOpening || onClose()}
      onOpenChangeComplete={(isOpen) => isOpen && openedBy === 'keyboard' && focusFirst()}
    >
      <Base.Portal container={container}>
        <Base.Positioner anchor={button} className={styles.positioner} align={align} sideOffset={4}>
          <Base.Popup id={id} ref={popup} className={styles.popup} aria-labelledby={labelledBy} finalFocus={button}>
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
  /** Why it cannot be chosen, shown to everyone. */
  readonly reason?: string | undefined
}

export function PopupItem({ children, onSelect, link, isDangerous, isCurrent, reason }: ItemProps) {
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

export function PopupSeparator() {
  return <Base.Separator className={styles.separator} />
}

/** A heading for the items after it. */
export function PopupHeading({ children }: { readonly children: ReactNode }) {
  return <div className={styles.heading}>{children}</div>
}
