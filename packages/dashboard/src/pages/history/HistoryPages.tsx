import { Link } from '@tanstack/react-router'
import { Button } from '../../components/Button.tsx'
import { DocsLink } from '../../components/links/DocsLink.tsx'
import { Empty } from '../../components/States.tsx'
import styles from './History.module.css'
import { PER_PAGE } from './historySearch.ts'

/** Links to newer and older entries. */
export function Pages({ page, shown }: { readonly page: number; readonly shown: number }) {
  if (page === 1 && shown < PER_PAGE) return null
  const to = (next: number) => (previous: object) => ({
    ...previous,
    entry: undefined,
    page: next > 1 ? next : undefined
  })
  return (
    <nav aria-label="Pages of the history" className={styles.pages}>
      {page > 1 ? (
        <Link to="." search={to(page - 1)}>
          ← Newer
        </Link>
      ) : (
        <span />
      )}
      {shown === PER_PAGE && (
        <Link to="." search={to(page + 1)}>
          Older →
        </Link>
      )}
    </nav>
  )
}

/** The message of a history without entries. */
export function NothingFound({
  isFiltered: isNarrow,
  onClear
}: {
  readonly isFiltered: boolean
  readonly onClear: () => void
}) {
  return isNarrow ? (
    <Empty title="No change matches these filters." action={<Button onClick={onClear}>Clear filters</Button>} />
  ) : (
    <Empty title="Every change is recorded here, with who made it and when.">
      <p>
        Nothing has been changed yet. <DocsLink page="operations/audit-log.md">About the audit log</DocsLink>
      </p>
    </Empty>
  )
}
