import { Link } from '@tanstack/react-router'
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
  return (
    <nav aria-label={label} className={styles.tabs}>
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
