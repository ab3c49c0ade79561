import { Menu as Base } from '@base-ui/react/menu'
import { type ReactElement, type ReactNode, useMemo, useRef } from 'react'
import styles from './Menu.module.css'

interface Props {
  /** The button that opens the menu. */
  readonly trigger: ReactElement
  readonly children: ReactNode
  readonly align?: 'start' | 'end'
}

/** A menu of actions or links. */
export function Menu({ trigger, children, align = 'start' }: Props) {
  const button = useRef<HTMLButtonElement>(null)
  // Within the page or the dialog of the button, so that navigation between landmarks reaches it.
  const container = useMemo(
    () => ({
      get current() {
        return button.current?.closest<HTMLElement>('[role="dialog"]') ?? document.getElementById('page')
      }
    }),
    []
  )
  return (
    <Base.Root>
      <Base.Trigger ref={button} render={trigger as ReactElement<Record<string, unknown>>} />
      <Base.Portal container={container}>
        <Base.Positioner className={styles.positioner} align={align} sideOffset={4}>
          <Base.Popup className={styles.popup}>{children}</Base.Popup>
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
  /** Why it cannot be chosen. Shown to everyone. */
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
