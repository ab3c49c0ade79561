import type { Environment, FeatureListItem } from '@burgee/contract/schemas'
import { Link, useParams } from '@tanstack/react-router'
import { Ellipsis } from 'lucide-react'
import { memo } from 'react'
import { Badge } from '../../parts/Badge.tsx'
import { IconButton } from '../../parts/Button.tsx'
import { Menu, MenuItem, MenuSeparator } from '../../parts/Menu.tsx'
import { Time } from '../../parts/Time.tsx'
import { SelectBox } from './bulk/SelectBox.tsx'
import { cellClass } from './cellClass.ts'
import styles from './Features.module.css'
import { StatusCell } from './StatusCell.tsx'

interface Props {
  readonly row: FeatureListItem
  readonly index: number
  /** Measures the element of the row; absent in short lists. */
  readonly measure: ((element: HTMLElement | null) => void) | undefined
  readonly columns: readonly Environment[]
  readonly environment: Environment | undefined
  /** Who made the last change. */
  readonly author: string | undefined
  readonly isSelected: boolean
  readonly onSelect: (row: FeatureListItem, isSelected: boolean) => void
  readonly onKill: (row: FeatureListItem) => void
}

/**
 * A feature: its status in each environment, which links to the targeting there, and a menu. Scrolling renders only rows
 * that come into view.
 */
export const FeatureRow = memo((props: Props) => {
  const { row, index, measure, columns, environment, author, isSelected, onSelect, onKill } = props
  const { org = '', project = '' } = useParams({ strict: false })
  const params = { org, project, feature: row.key }
  return (
    <tr aria-rowindex={index + 2} data-index={index} ref={measure} className={styles.row}>
      <td className={styles.select}>
        <SelectBox
          label={`Select ${row.name}`}
          isChecked={isSelected}
          onChange={(isChecked) => onSelect(row, isChecked)}
        />
      </td>
      <th scope="row" className={styles.name}>
        <span className={styles.title}>
          <Link
            to="/o/$org/p/$project/features/$feature/overview"
            params={params}
            className={styles.link}
            title={row.name}
          >
            <bdi>{row.name}</bdi>
          </Link>
          <code className={styles.key} title={row.key}>
            {row.key}
          </code>
        </span>
        <Details row={row} />
      </th>
      {columns.map((column) => (
        <td key={column._id} className={cellClass(column, environment)}>
          <span className={styles.phoneTitle} aria-hidden="true">
            {column.name}
          </span>
          <Link
            to="/o/$org/p/$project/features/$feature/manage-feature"
            params={params}
            search={{ env: column.key }}
            className={styles.statusLink}
            aria-description={`Targeting of ${row.name} in ${column.name}`}
          >
            <StatusCell status={row.environments[column.key]} />
          </Link>
        </td>
      ))}
      <td className={styles.changed}>
        <Time value={row.updatedAt} />
        {author !== undefined && (
          <bdi className={styles.author} title={author}>
            {author}
          </bdi>
        )}
      </td>
      <td className={styles.menu}>
        <Menu
          align="end"
          trigger={
            <IconButton label={`Actions for ${row.name}`}>
              <Ellipsis size={18} aria-hidden="true" />
            </IconButton>
          }
        >
          {environment && (
            <MenuItem
              link={
                <Link
                  to="/o/$org/p/$project/features/$feature/manage-feature"
                  params={params}
                  search={{ env: environment.key }}
                />
              }
            >
              Targeting in {environment.name}
            </MenuItem>
          )}
          <MenuItem link={<Link to="/o/$org/p/$project/features/$feature/audit-log" params={params} />}>
            History
          </MenuItem>
          <MenuSeparator />
          <MenuItem
            isDangerous
            onSelect={() => onKill(row)}
            reason={isOff(row) ? 'it is off in all environments' : undefined}
          >
            Turn off everywhere…
          </MenuItem>
        </Menu>
      </td>
    </tr>
  )
})

function isOff({ status, environments }: FeatureListItem): boolean {
  return (
    status === 'archived' || Object.values(environments).every((one) => one.status === 'off' || one.status === 'killed')
  )
}

/** Details of a feature: type, tags and pending change requests. */
function Details({ row }: { readonly row: FeatureListItem }) {
  const { type, status, tags, pendingChangeRequests: waiting, staleness } = row
  return (
    <span className={styles.details}>
      {status !== 'active' && <Badge tone={status === 'archived' ? 'off' : 'live'}>{status}</Badge>}
      {waiting > 0 && <Badge tone="waiting">{`${waiting} waiting`}</Badge>}
      {staleness && <Badge tone="waiting">stale</Badge>}
      <span className={styles.quiet}>
        {type}
        {tags.map((tag) => (
          <bdi key={tag} className={styles.tag}>
            #{tag}
          </bdi>
        ))}
      </span>
    </span>
  )
}
