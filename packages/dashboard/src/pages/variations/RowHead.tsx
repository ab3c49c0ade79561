import { MoreHorizontal } from 'lucide-react'
import { Badge } from '../../components/Badge.tsx'
import { IconButton } from '../../components/Button.tsx'
import { Menu, MenuItem, MenuSeparator } from '../../components/Menu.tsx'
import { type Matrix, type MatrixRow, rowId, type ServingTarget } from './matrix.ts'
import type { GridControl } from './useGridFocus.ts'
import styles from './Variations.module.css'

export interface RowHeadProps {
  readonly row: MatrixRow
  readonly index: number
  readonly matrix: Matrix
  readonly control: GridControl
  /** Why the feature cannot be changed. */
  readonly reason: string | undefined
  /** Why another variation cannot become the control. */
  readonly controlReason: string | undefined
  /** The targets that serve a variation. */
  readonly serving: (id: string) => readonly ServingTarget[]
  readonly onRename: (row: MatrixRow) => void
  readonly onMove: (id: string, by: -1 | 1) => void
  readonly onMakeControl: (id: string) => void
  readonly onRemove: (row: MatrixRow) => void
}

/** The name of a variation, where it is served, and what can be done with it. */
export function RowHead({ row, index, matrix, control, reason, controlReason, serving, ...act }: RowHeadProps) {
  const id = rowId(row)
  const isControl = matrix.control === id
  const on = [...new Set(serving(id).flatMap(({ environment, isOn }) => (isOn ? [environment.name] : [])))]
  return (
    <div className={styles.head}>
      <div className={styles.names}>
        <bdi className={styles.name}>{row.name}</bdi>
        <code className={styles.key}>{row.key}</code>
        <span className={styles.marks}>
          {row._id === undefined && <Badge tone="partly">new</Badge>}
          {isControl && <Badge tone="off">control</Badge>}
          {on.length > 0 && <span className={styles.quiet}>served in {on.join(', ')}</span>}
        </span>
      </div>
      <Menu
        align="end"
        trigger={
          <IconButton {...control} label={`Actions for the variation ${row.name}`}>
            <MoreHorizontal size={16} aria-hidden="true" />
          </IconButton>
        }
      >
        <MenuItem reason={reason} onSelect={() => act.onRename(row)}>
          Change name and key…
        </MenuItem>
        <MenuItem
          reason={controlReason ?? (isControl ? 'this is the control' : undefined)}
          onSelect={() => act.onMakeControl(id)}
        >
          Make it the control
        </MenuItem>
        <MenuItem
          reason={reason ?? (index === 0 ? 'this is the first variation' : undefined)}
          onSelect={() => act.onMove(id, -1)}
        >
          Move up
        </MenuItem>
        <MenuItem
          reason={reason ?? (index === matrix.variations.length - 1 ? 'this is the last variation' : undefined)}
          onSelect={() => act.onMove(id, 1)}
        >
          Move down
        </MenuItem>
        <MenuSeparator />
        <MenuItem isDangerous reason={reason} onSelect={() => act.onRemove(row)}>
          Remove…
        </MenuItem>
      </Menu>
    </div>
  )
}
