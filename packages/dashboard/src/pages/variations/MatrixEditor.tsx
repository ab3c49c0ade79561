import type { Environment, Feature, Variable } from '@burgee/contract/schemas'
import { useParams } from '@tanstack/react-router'
import { Plus } from 'lucide-react'
import { useMemo, useState } from 'react'
import { useMissingPermission } from '../../parts/access/useMissingPermission.ts'
import { Button } from '../../parts/Button.tsx'
import { Empty } from '../../parts/States.tsx'
import { CreateVariableDialog } from '../../parts/values/CreateVariableDialog.tsx'
import { JsonDialog } from '../../parts/values/JsonDialog.tsx'
import { RemoveVariableDialog } from './dialogs/RemoveVariableDialog.tsx'
import { RemoveVariationDialog } from './dialogs/RemoveVariationDialog.tsx'
import { VariationDialog } from './dialogs/VariationDialog.tsx'
import {
  changedValues,
  type MatrixRow,
  rowId,
  servedBy,
  withoutRow,
  withRow,
  withRowMoved,
  withValue
} from './matrix.ts'
import { useMatrixDraft } from './useMatrixDraft.ts'
import { useValueIssues, validateValues } from './useValueIssues.ts'
import { ValueGrid } from './ValueGrid.tsx'
import styles from './Variations.module.css'
import { VariationsSaveBar } from './VariationsSaveBar.tsx'

interface Props {
  readonly feature: Feature
  readonly environments: readonly Environment[]
}

/** The dialog that is open over the matrix. */
type Open =
  | { readonly type: 'variation'; readonly row?: MatrixRow }
  | { readonly type: 'removeVariation'; readonly row: MatrixRow }
  | { readonly type: 'variable' }
  | { readonly type: 'removeVariable'; readonly variable: Variable }
  | { readonly type: 'json'; readonly row: string; readonly variable: Variable }

/** The matrix of variations and variables, which is saved as a whole. */
export function MatrixEditor({ feature, environments }: Props) {
  const { project = '' } = useParams({ strict: false })
  const draft = useMatrixDraft(feature)
  const [open, setOpen] = useState<Open>()
  const reason = useReadonlyReason(feature, project)
  const matrix = draft.value
  const both = useMemo(() => ({ base: draft.base, draft: matrix }), [draft.base, matrix])
  const changed = useMemo(() => changedValues(both.base, both.draft), [both])
  const { issues, check } = useValueIssues(project, feature.variables, both)
  const close = () => setOpen(undefined)
  const serving = (id: string) => servedBy(feature, id, environments)
  return (
    <div className={styles.page}>
      <div className={styles.tools}>
        <p className={styles.quiet}>
          Each variation has a value for every variable of the feature. Click a value to change it.
        </p>
        <Button
          icon={<Plus size={16} aria-hidden="true" />}
          reason={reason}
          onClick={() => setOpen({ type: 'variation' })}
        >
          Variation
        </Button>
        <Button
          icon={<Plus size={16} aria-hidden="true" />}
          reason={reason}
          onClick={() => setOpen({ type: 'variable' })}
        >
          Variable
        </Button>
      </div>
      {matrix.variations.length === 0 ? (
        <Empty title="This feature has no variations.">
          <p>Add a variation so that targets can serve it.</p>
        </Empty>
      ) : (
        <ValueGrid
          variables={feature.variables}
          matrix={matrix}
          changed={changed}
          issues={issues}
          reason={reason}
          serving={serving}
          onChange={(row, variable, value) => draft.set((current) => withValue(current, row, variable, value))}
          onOpenJson={(row, variable) => setOpen({ type: 'json', row, variable })}
          onRename={(row) => setOpen({ type: 'variation', row })}
          onMove={(id, by) => draft.set((current) => withRowMoved(current, id, by))}
          onMakeControl={(control) => draft.set((current) => ({ ...current, control }))}
          onRemove={(row) => setOpen({ type: 'removeVariation', row })}
          onRemoveVariable={(variable) => setOpen({ type: 'removeVariable', variable })}
        />
      )}
      <VariationsSaveBar draft={draft} feature={feature} environments={environments} check={check} />
      {open?.type === 'variation' && (
        <VariationDialog
          matrix={matrix}
          {...(open.row ? { row: open.row } : {})}
          onClose={close}
          onApply={(row) =>
            draft.set((current) =>
              open.row
                ? withRow(current, rowId(open.row), () => row)
                : { ...current, variations: [...current.variations, row] }
            )
          }
        />
      )}
      {open?.type === 'removeVariation' && (
        <RemoveVariationDialog
          row={open.row}
          serving={serving(rowId(open.row))}
          onClose={close}
          onRemove={() => draft.set((current) => withoutRow(current, rowId(open.row)))}
        />
      )}
      {open?.type === 'variable' && <CreateVariableDialog feature={feature} onClose={close} />}
      {open?.type === 'removeVariable' && (
        <RemoveVariableDialog feature={feature} variable={open.variable} onClose={close} />
      )}
      {open?.type === 'json' && (
        <JsonDialog
          title={open.variable.key}
          value={matrix.variations.find((row) => rowId(row) === open.row)?.variables[open.variable.key]}
          onClose={close}
          onApply={async (value) => {
            const [issue] = await validateValues(project, open.variable, [value])
            if (issue !== undefined) return issue
            draft.set((current) => withValue(current, open.row, open.variable.key, value))
            close()
            return undefined
          }}
        />
      )}
    </div>
  )
}

/** Why the values cannot be changed; `undefined` if they can. */
function useReadonlyReason({ status, readonly }: Feature, project: string): string | undefined {
  const cannotWrite = useMissingPermission('feature:write', project)
  if (status !== 'active') return `the feature is ${status}`
  return cannotWrite ?? (readonly ? 'you cannot change this feature' : undefined)
}
