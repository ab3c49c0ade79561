import { Link, useLocation } from '@tanstack/react-router'
import { useEffect, useRef } from 'react'
import styles from './TabLinks.module.css'

interface Tab {
  readonly title: string
  readonly to: string
  /** Whether addresses below it belong to other tabs. */
  readonly isExact?: boolean
}

interface Props {
  readonly label: string
  readonly tabs: readonly Tab[]
}

/** The pages of one thing. They are links, so that each has an address. */
export function TabLinks({ label, tabs }: Props) {
  const list = useRef<HTMLElement>(null)
  const { pathname } = useLocation()
  // Narrow windows cut the tabs off: the current one is scrolled to, and the page stays where it is.
  // biome-ignore lint/correctness/useExhaustiveDependencies: the address decides which tab is the current one.
  useEffect(() => {
    const current = list.current?.querySelector<HTMLElement>('[aria-current]')
    if (list.current && current) list.current.scrollLeft = current.offsetLeft - list.current.offsetWidth / 3
  }, [pathname])
  return (
    <nav ref={list} aria-label={label} className={styles.tabs}>
      {tabs.map(({ title, to, isExact = false }) => (
        <Link
          key={to}
          to={to as string}
          search={({ env }: { env?: string }) => (env ? { env } : {})}
          activeOptions={{ exact: isExact, includeSearch: false }}
          className={styles.tab}
          activeProps={{ 'aria-current': 'page' }}
        >
          {title}
        </Link>
      ))}
    </nav>
  )
}
