import type { Environment, Feature, Variable } from '@burgee/contract/schemas'
import { useParams } from '@tanstack/react-router'
import { Plus } from 'lucide-react'
import { useMemo, useState } from 'react'
import { useMissingPermission } from '../../components/access/useMissingPermission.ts'
import { Button } from '../../components/Button.tsx'
import { Empty } from '../../components/States.tsx'
import { CreateVariableDialog } from '../../components/values/CreateVariableDialog.tsx'
import { JsonDialog } from '../../components/values/JsonDialog.tsx'
import { RemoveVariableDialog } from './dialogs/RemoveVariableDialog.tsx'
import { RemoveVariationDialog } from './dialogs/RemoveVariationDialog.tsx'
import { VariationDialog } from './dialogs/VariationDialog.tsx'
import {
  changedValues,
  isServedInProtected,
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
  const { reason, controlReason } = useReadonlyReasons(feature, environments, project)
  const matrix = draft.value
  const both = useMemo(() => ({ base: draft.base, draft: matrix }), [draft.base, matrix])
  const changed = useMemo(() => changedValues(both.base, both.draft), [both])
  const { issues, check } = useValueIssues(project, feature.variables, both)
  const serving = (id: string) => servedBy(feature, id, environments)
  return (
    <div className={styles.page}>
      <div className={styles.tools}>
        <p className={styles.quiet}>
          Each variation has a value for every variable of the feature.{' '}
          {reason === undefined ? 'Click a value to change it.' : `Read-only: ${reason}.`}
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
          controlReason={controlReason}
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
      {open && (
        <MatrixDialog
          open={open}
          onClose={() => setOpen(undefined)}
          feature={feature}
          draft={draft}
          serving={serving}
        />
      )}
    </div>
  )
}

interface DialogProps {
  readonly open: Open
  readonly onClose: () => void
  readonly feature: Feature
  readonly draft: ReturnType<typeof useMatrixDraft>
  /** The environments in which a variation is served, by its id. */
  readonly serving: (id: string) => ReturnType<typeof servedBy>
}

/** A dialog over the matrix. Variations and JSON values change the draft; variables change the feature at once. */
function MatrixDialog({ open, onClose, feature, draft, serving }: DialogProps) {
  const { project = '' } = useParams({ strict: false })
  const matrix = draft.value
  switch (open.type) {
    case 'variation': {
      const { row: before } = open
      const apply = (row: MatrixRow) =>
        draft.set((current) =>
          before ? withRow(current, rowId(before), () => row) : { ...current, variations: [...current.variations, row] }
        )
      return <VariationDialog matrix={matrix} {...(before ? { row: before } : {})} onClose={onClose} onApply={apply} />
    }
    case 'removeVariation':
      return (
        <RemoveVariationDialog
          row={open.row}
          serving={serving(rowId(open.row))}
          onClose={onClose}
          onRemove={() => draft.set((current) => withoutRow(current, rowId(open.row)))}
        />
      )
    case 'variable':
      return <CreateVariableDialog feature={feature} onClose={onClose} />
    case 'removeVariable':
      return <RemoveVariableDialog feature={feature} variable={open.variable} onClose={onClose} />
    case 'json':
      return (
        <JsonDialog
          title={open.variable.key}
          value={matrix.variations.find((row) => rowId(row) === open.row)?.variables[open.variable.key]}
          onClose={onClose}
          onApply={async (value) => {
            const [issue] = await validateValues(project, open.variable, [value])
            if (issue !== undefined) return issue
            draft.set((current) => withValue(current, open.row, open.variable.key, value))
            onClose()
            return undefined
          }}
        />
      )
  }
}

/** Why the values, and which of them is the control, cannot be changed; `undefined` if they can. */
function useReadonlyReasons(feature: Feature, environments: readonly Environment[], project: string) {
  const { status, readonly } = feature
  const cannotWrite = useMissingPermission('feature:write', project)
  const cannotPublish = useMissingPermission('feature:publish', project)
  const controlReason =
    status === 'active'
      ? (cannotWrite ?? (readonly ? 'you cannot change this feature' : undefined))
      : `the feature is ${status}`
  // The control concerns results only, not what users get.
  const reason = controlReason ?? (isServedInProtected(feature, environments) ? cannotPublish : undefined)
  return { reason, controlReason }
}
