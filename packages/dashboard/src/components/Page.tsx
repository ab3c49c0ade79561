import { type ReactNode, useEffect, useRef } from 'react'
import styles from './Page.module.css'

interface Props {
  readonly title: string
  /** Before the title: the way back or what the page belongs to. */
  readonly above?: ReactNode
  /** After the title, in its line: keys, badges. */
  readonly beside?: ReactNode
  readonly actions?: ReactNode
  /** Below the title: the tabs of a page. */
  readonly tabs?: ReactNode
  /** Forms are narrower than tables. */
  readonly width?: 'form' | 'full'
  readonly children: ReactNode
}

/** A page: its title is the document's title and takes the focus after navigation. */
export function Page({ title, above, beside, actions, tabs, width = 'full', children }: Props) {
  const heading = useRef<HTMLHeadingElement>(null)
  useEffect(() => {
    document.title = `${title} · Burgee`
  }, [title])
  useEffect(() => {
    if (document.activeElement === document.body) heading.current?.focus({ preventScroll: true })
  }, [])
  return (
    <div className={`${styles.page} ${styles[width]}`}>
      {above && <div className={styles.above}>{above}</div>}
      <header className={styles.head}>
        <div className={styles.title}>
          <h1 ref={heading} tabIndex={-1}>
            {title}
          </h1>
          {beside}
        </div>
        {actions && <div className={styles.actions}>{actions}</div>}
      </header>
      {tabs}
      {children}
    </div>
  )
}

interface SectionProps {
  readonly title: string
  readonly actions?: ReactNode
  /** Whether the section has its own paper: for sections side by side, without tables. */
  readonly isPanel?: boolean
  readonly children: ReactNode
}

/** A part of a page under a heading. */
export function Section({ title, actions, isPanel, children }: SectionProps) {
  return (
    <section className={isPanel ? `${styles.section} ${styles.panel}` : styles.section}>
      <div className={styles.sectionHead}>
        <h2>{title}</h2>
        {actions}
      </div>
      {children}
    </section>
  )
}
