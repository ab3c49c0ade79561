import type { ReactNode } from 'react'
import styles from './Badge.module.css'

/** The meaning of a badge, which is its colour too. */
export type Tone = 'live' | 'partly' | 'waiting' | 'off' | 'protected' | 'danger'

/** A word on a tint. */
export function Badge({ tone, children }: { readonly tone: Tone; readonly children: ReactNode }) {
  return <span className={`${styles.badge} ${styles[tone]}`}>{children}</span>
}

/** The mark of a protected environment. */
export function Protected() {
  return <Badge tone="protected">protected</Badge>
}
