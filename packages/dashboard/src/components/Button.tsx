import type { ComponentProps, ReactNode } from 'react'
import styles from './Button.module.css'

interface Props extends ComponentProps<'button'> {
  readonly kind?: 'primary' | 'plain' | 'quiet' | 'danger'
  /** Shown before the words. */
  readonly icon?: ReactNode
  /** Whether the words, not the invisible box of a quiet button, begin at the edge of the content. */
  readonly isFlush?: boolean
  /** Whether the action is under way: the button keeps its width and focus, and ignores clicks. */
  readonly isBusy?: boolean
  /** Why the button is disabled. Shown to everyone. */
  readonly reason?: string | undefined
}

/** A button with words. With a `reason` it is disabled, stays reachable by keyboard and names the reason. */
export function Button({
  kind = 'plain',
  icon,
  isFlush,
  isBusy,
  reason,
  children,
  onClick,
  className,
  ...rest
}: Props) {
  const isOff = isBusy || reason !== undefined
  return (
    <button
      type="button"
      {...rest}
      title={reason ?? rest.title}
      aria-disabled={isOff || undefined}
      aria-busy={isBusy || undefined}
      className={[styles.button, styles[kind], isFlush && styles.flush, className].filter(Boolean).join(' ')}
      onClick={isOff ? (event) => event.preventDefault() : onClick}
    >
      {icon}
      <span>{children}</span>
      {reason !== undefined && <span className="visually-hidden"> ({reason})</span>}
    </button>
  )
}

interface IconProps extends ComponentProps<'button'> {
  /** What the button does. */
  readonly label: string
}

/** A button that is an icon. */
export function IconButton({ label, children, className, ...rest }: IconProps) {
  return (
    <button
      type="button"
      {...rest}
      aria-label={label}
      title={label}
      className={[styles.icon, className].filter(Boolean).join(' ')}
    >
      {children}
    </button>
  )
}
