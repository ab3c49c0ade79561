import type { Environment, FeatureListItem } from '@burgee/contract/schemas'
import { memo } from 'react'
import { Badge } from '../../components/Badge.tsx'
import { IconButton } from '../../components/Button.tsx'
import { menuButton } from '../../components/Menu.tsx'
import { Time } from '../../components/Time.tsx'
import { SelectBox } from './bulk/SelectBox.tsx'
import { cellClass } from './cellClass.ts'
import styles from './Features.module.css'
import { menuButtonId, type OpenMenu } from './RowMenu.tsx'
import { StatusCell } from './StatusCell.tsx'

interface Props {
  readonly row: FeatureListItem
  readonly index: number
  /** Measures the element of the row; absent in short lists. */
  readonly measure: ((element: HTMLElement | null) => void) | undefined
  /** The address of the list, the base of the addresses of its features. */
  readonly base: string
  readonly columns: readonly EnvironmentColumn[]
  readonly environment: Environment | undefined
  /** Who made the last change. */
  readonly author: string | undefined
  readonly isSelected: boolean
  readonly onSelect: (row: FeatureListItem, isSelected: boolean) => void
  readonly isMenuOpen: boolean
  readonly onMenu: (menu: OpenMenu) => void
}

/** An environment that has a column. */
export interface EnvironmentColumn {
  readonly environment: Environment
  /** The query of the addresses of its targeting pages, for example `?env=production`. */
  readonly search: string
}

/**
 * A feature: its status in each environment, which links to the targeting there, and a button for its menu. Scrolling renders
 * only rows that come into view. Long lists render many rows in a frame, so links and menus are those of the list.
 */
export const FeatureRow = memo((props: Props) => {
  const { row, index, measure, base, columns, environment, author, isSelected, onSelect, isMenuOpen, onMenu } = props
  const address = `${base}/${encodeURIComponent(row.key)}`
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
          <a href={`${address}/overview`} className={styles.link} title={row.name}>
            <bdi>{row.name}</bdi>
          </a>
        </span>
        <Details row={row} />
      </th>
      {columns.map(({ environment: column, search }) => (
        <td key={column._id} className={cellClass(column, environment)}>
          {column._id === environment?._id && (
            <span className={styles.phoneTitle} aria-hidden="true">
              {column.name}
            </span>
          )}
          <a
            href={`${address}/manage-feature${search}`}
            className={styles.statusLink}
            aria-description={`Targeting of ${row.name} in ${column.name}`}
          >
            <StatusCell status={row.environments[column.key]} />
          </a>
        </td>
      ))}
      <td className={`${styles.changed} ${styles.when}`}>
        <Time value={row.updatedAt} isTitleLazy />
        {author !== undefined && (
          <>
            <br className={styles.break} />
            <bdi className={styles.author} title={author}>
              {author}
            </bdi>
          </>
        )}
      </td>
      <td className={styles.menu}>
        <IconButton
          {...menuButton({
            id: menuButtonId(row),
            isOpen: isMenuOpen,
            onOpen: (openedBy, button) => onMenu({ row, openedBy, button: { current: button } })
          })}
          label={`Actions for ${row.name}`}
        >
          {dots}
        </IconButton>
      </td>
    </tr>
  )
})

/** The icon of a menu: three dots. */
const dots = (
  <svg
    width="18"
    height="18"
    viewBox="0 0 24 24"
    fill="none"
    stroke="currentColor"
    strokeWidth="4"
    strokeLinecap="round"
    aria-hidden="true"
  >
    <path d="M5 12h0M12 12h0M19 12h0" />
  </svg>
)

/** Details of a feature: key, pending change requests, type and tags. */
function Details({ row }: { readonly row: FeatureListItem }) {
  const { key, type, status, tags, pendingChangeRequests: waiting, staleness } = row
  return (
    <span className={styles.details}>
      <code className={styles.key} title={key}>
        {key}
      </code>
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
