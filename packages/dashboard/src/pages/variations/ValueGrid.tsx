import type { Variable } from '@burgee/contract/schemas'
import { Link, useParams } from '@tanstack/react-router'
import { MoreHorizontal } from 'lucide-react'
import { IconButton } from '../../components/Button.tsx'
import { Menu, MenuItem } from '../../components/Menu.tsx'
import type { VariableValue } from '../../components/values/valueText.ts'
import { type Matrix, rowId } from './matrix.ts'
import { RowHead, type RowHeadProps } from './RowHead.tsx'
import { useGridFocus } from './useGridFocus.ts'
import { cellId, type ValueIssues } from './useValueIssues.ts'
import { ValueCell } from './ValueCell.tsx'
import styles from './Variations.module.css'

interface Props extends Omit<RowHeadProps, 'row' | 'index' | 'control'> {
  readonly variables: readonly Variable[]
  readonly matrix: Matrix
  readonly changed: ReadonlyMap<string, readonly string[]>
  readonly issues: ValueIssues
  readonly onChange: (row: string, variable: string, value: VariableValue) => void
  readonly onOpenJson: (row: string, variable: Variable) => void
  readonly onRemoveVariable: (variable: Variable) => void
}

/** The values of a feature: a row for each variation, a column for each variable. On phones a block for each variation. */
export function ValueGrid(props: Props) {
  const { variables, matrix, changed, issues, onChange, onOpenJson, reason } = props
  const { grid, control, onKeyDown } = useGridFocus('1:1')
  return (
    <div className={styles.frame}>
      {/* biome-ignore lint/a11y/noNoninteractiveElementToInteractiveRole: a table whose cells are edited is a grid. */}
      <table ref={grid} role="grid" aria-label="Values by variation" className={styles.grid} onKeyDown={onKeyDown}>
        <thead>
          <tr>
            <th scope="col">Variation</th>
            {variables.map((variable, index) => (
              <th key={variable._id} scope="col">
                <VariableHead {...props} variable={variable} control={control(0, index + 1)} />
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {matrix.variations.map((row, index) => (
            <tr key={rowId(row)}>
              <th scope="row">
                <RowHead {...props} row={row} index={index} control={control(index + 1, 0)} />
              </th>
              {variables.map((variable, column) => (
                <td key={variable._id}>
                  <span className={styles.cellTitle} aria-hidden="true">
                    {variable.key}
                  </span>
                  <ValueCell
                    variable={variable}
                    label={`${variable.key} in ${row.name}`}
                    value={row.variables[variable.key]}
                    isChanged={changed.get(rowId(row))?.includes(variable.key) ?? false}
                    issue={issues.get(cellId(rowId(row), variable.key))}
                    isReadonly={reason !== undefined}
                    control={control(index + 1, column + 1)}
                    onChange={(value) => onChange(rowId(row), variable.key, value)}
                    onOpenJson={() => onOpenJson(rowId(row), variable)}
                  />
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}

function VariableHead({
  variable,
  control,
  reason,
  onRemoveVariable
}: Props & { readonly variable: Variable; readonly control: ReturnType<ReturnType<typeof useGridFocus>['control']> }) {
  const { org = '', project = '' } = useParams({ strict: false })
  return (
    <div className={styles.head}>
      <div className={styles.names}>
        <code className={styles.key}>{variable.key}</code>
        <span className={styles.quiet}>{describeType(variable)}</span>
      </div>
      <Menu
        align="end"
        trigger={
          <IconButton {...control} label={`Actions for the variable ${variable.key}`}>
            <MoreHorizontal size={16} aria-hidden="true" />
          </IconButton>
        }
      >
        <MenuItem
          link={<Link to="/o/$org/p/$project/variables/$variable" params={{ org, project, variable: variable.key }} />}
        >
          Open the variable
        </MenuItem>
        <MenuItem isDangerous reason={reason} onSelect={() => onRemoveVariable(variable)}>
          Remove from the feature…
        </MenuItem>
      </Menu>
    </div>
  )
}

const constraints = { enum: 'a value from a list', regex: 'pattern', jsonSchema: 'schema' } as const

function describeType({ type, validationSchema }: Variable): string {
  return validationSchema ? `${type} · ${constraints[validationSchema.schemaType]}` : type
}
