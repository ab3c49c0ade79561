import { revisionOf } from '@burgee/contract/client'
import type { Feature } from '@burgee/contract/schemas'
import { useState } from 'react'
import { FormDialog } from '../../../components/forms/FormDialog.tsx'
import { toLine } from '../../../components/values/valueText.ts'
import type { Choices, Conflict } from '../../../draft/merge3.ts'
import { merge3 } from '../../../draft/merge3.ts'
import { toMatrix } from '../matrix.ts'
import type { MatrixDraft } from '../useMatrixDraft.ts'
import styles from '../Variations.module.css'

interface Props {
  readonly draft: MatrixDraft
  readonly feature: Feature
  readonly onClose: () => void
}

/** Resolves conflicts: for each, one of both changes is chosen. Nothing is preselected. */
export function VariationConflictDialog({ draft, feature, onClose }: Props) {
  const [choices, setChoices] = useState<Choices>({})
  const theirs = toMatrix(feature)
  const merge = merge3(draft.base, theirs, draft.value)
  const conflicts = merge.type === 'conflicts' ? merge.conflicts : []
  const missing = conflicts.filter(({ id }) => choices[id] === undefined).length
  const submit = () => {
    if (missing > 0) return
    draft.rebase({ base: theirs, revision: revisionOf(feature) ?? '' }, choices)
    onClose()
  }
  return (
    <FormDialog
      onClose={onClose}
      title="This feature has changed"
      shape="wide"
      action="Merge changes"
      onSubmit={submit}
      reason={missing > 0 ? `choose for ${missing} more` : undefined}
    >
      <p>
        {conflicts.length === 0
          ? 'Your changes do not conflict. Both are kept; nothing is saved yet.'
          : 'Your changes conflict. Choose which to keep; nothing is saved yet.'}
      </p>
      {conflicts.map((conflict) => (
        <ConflictChoice
          key={conflict.id}
          conflict={conflict}
          title={describePlace(conflict, draft)}
          chosen={choices[conflict.id]}
          onChoose={(side) => setChoices({ ...choices, [conflict.id]: side })}
        />
      ))}
    </FormDialog>
  )
}

interface ChoiceProps {
  readonly conflict: Conflict
  readonly title: string
  readonly chosen: 'theirs' | 'mine' | undefined
  readonly onChoose: (side: 'theirs' | 'mine') => void
}

function ConflictChoice({ conflict, title, chosen, onChoose }: ChoiceProps) {
  const sides = [
    { side: 'theirs', words: 'Theirs' },
    { side: 'mine', words: 'Yours' }
  ] as const
  return (
    <fieldset className={styles.conflict}>
      <legend>
        <bdi>{title}</bdi> <span className={styles.quiet}>before: {show(conflict.base)}</span>
      </legend>
      {sides.map(({ side, words }) => (
        <label key={side}>
          <input type="radio" name={conflict.id} checked={chosen === side} onChange={() => onChoose(side)} />
          {words}: <code>{show(conflict[side])}</code>
        </label>
      ))}
    </fieldset>
  )
}

function show(value: unknown): string {
  // Conflicts are about names, keys, values and ids, which are JSON.
  return toLine(value as Parameters<typeof toLine>[0]).slice(0, 500)
}

/** The name of the variation and what of it, or what of the whole matrix. */
function describePlace({ path, kind }: Conflict, { base, value }: MatrixDraft): string {
  if (kind === 'order') return 'Order of the variations'
  const [member, id, ...rest] = path
  if (member !== 'variations') return 'Control'
  const row = [...value.variations, ...base.variations].find(({ _id }) => _id === id)
  return [row?.name ?? 'Variation', ...rest.filter((part) => part !== 'variables')].join(' · ')
}
