import type { SaveRules, Targeting } from '../useTargeting.ts'
import type { TargetingDraft } from '../useTargetingDraft.ts'
import { ConflictDialog } from './ConflictDialog.tsx'
import { ReviewDialog } from './ReviewDialog.tsx'
import type { Meanwhile } from './useSave.ts'

/** A step before saving: a review of the changes, or a conflict with changes that another person saved meanwhile. */
export type SaveStep = { readonly type: 'review' } | { readonly type: 'conflict'; readonly meanwhile: Meanwhile }

interface Props {
  readonly targeting: Targeting
  readonly draft: TargetingDraft
  readonly rules: SaveRules
  readonly step: SaveStep | undefined
  readonly onStep: (step: SaveStep | undefined) => void
  readonly onSaved: () => void
}

/** The dialog of the step. */
export function SaveDialogs({ targeting, draft, rules, step, onStep, onSaved }: Props) {
  const close = () => onStep(undefined)
  switch (step?.type) {
    case 'review':
      return (
        <ReviewDialog
          targeting={targeting}
          draft={draft}
          rules={rules}
          onClose={close}
          onConflict={(meanwhile) => onStep({ type: 'conflict', meanwhile })}
          onDone={() => {
            close()
            onSaved()
          }}
        />
      )
    case 'conflict':
      return (
        <ConflictDialog
          targeting={targeting}
          draft={draft}
          meanwhile={step.meanwhile}
          onClose={close}
          onMerged={() => onStep(step.meanwhile.isSaving ? { type: 'review' } : undefined)}
        />
      )
    default:
      return null
  }
}
