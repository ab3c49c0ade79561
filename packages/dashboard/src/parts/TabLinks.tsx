import { Link } from '@tanstack/react-router'
import styles from './TabLinks.module.css'

interface Props {
  readonly label: string
  readonly tabs: readonly { readonly title: string; readonly to: string }[]
}

/** The pages of one thing. They are links, so that each has an address. */
export function TabLinks({ label, tabs }: Props) {
  return (
    <nav aria-label={label} className={styles.tabs}>
      {tabs.map(({ title, to }) => (
        <Link
          key={to}
          to={to as string}
          search={({ env }: { env?: string }) => (env ? { env } : {})}
          className={styles.tab}
          activeProps={{ 'aria-current': 'page' }}
        >
          {title}
        </Link>
      ))}
    </nav>
  )
}
