import type { FeatureConfiguration } from '@burgee/contract/schemas'
import { warningSentence } from '@burgee/contract/words'
import { useRef, useState } from 'react'
import { Banner } from '../../components/States.tsx'
import { BeforeSaving } from './check/BeforeSaving.tsx'
import { EditorNotices } from './EditorNotices.tsx'
import { SaveBar } from './save/SaveBar.tsx'
import { SaveDialogs, type SaveStep } from './save/SaveDialogs.tsx'
import { meanwhileOf } from './save/useSave.ts'
import styles from './Targeting.module.css'
import { Toolbar } from './Toolbar.tsx'
import { TargetList } from './target/TargetList.tsx'
import { useEditorKeys } from './useEditorKeys.ts'
import { useOpenTarget } from './useOpenTarget.ts'
import { type Targeting, useSaveRules } from './useTargeting.ts'
import { useTargetingDraft } from './useTargetingDraft.ts'

interface Props extends Targeting {
  readonly list: readonly FeatureConfiguration[]
}

/** The targets of a feature in one environment: a draft until it is saved. */
export function TargetingEditor({ list, ...targeting }: Props) {
  const draft = useTargetingDraft(targeting, list)
  const rules = useSaveRules(targeting)
  const opened = useOpenTarget(draft.value.targets)
  const [isChecked, setChecked] = useState(false)
  const [step, setStep] = useState<SaveStep>()
  const root = useRef<HTMLDivElement>(null)
  const issues = isChecked ? draft.issues : []
  const reason = rules.reason ?? (rules.request ? 'a change request waits' : undefined)

  const goTo = (target: string | undefined, selector = '[aria-invalid="true"]') => {
    if (target !== undefined) opened.open(target)
    requestAnimationFrame(() => {
      const within = target === undefined ? root.current : root.current?.querySelector(`#target-${target}`)
      const place = within?.querySelector<HTMLElement>(selector) ?? within?.querySelector('button')
      place?.focus()
    })
  }
  const compare = (isSaving: boolean) => {
    const meanwhile = meanwhileOf(list, { isSaving })
    setStep(meanwhile && { type: 'conflict', meanwhile })
  }
  const review = () => {
    if (!draft.isDirty) return
    setChecked(true)
    const [first] = draft.currentIssues()
    if (first) goTo(first.target)
    // A review would compare the draft with an older version. A change request names no revision, so it would even revert
    // what another person saved.
    else if (draft.isBehind) compare(true)
    else setStep({ type: 'review' })
  }
  useEditorKeys({ onSave: review, onUndo: draft.undo, onRedo: draft.redo })

  const common = { targeting, draft, rules, reason }
  return (
    <div ref={root} className={styles.editor}>
      <div className={styles.main}>
        <Toolbar targeting={targeting} draft={draft} reason={reason} note={rules.reason} />
        <EditorNotices
          targeting={targeting}
          draft={draft}
          rules={rules}
          issues={issues}
          onGoTo={goTo}
          onCompare={() => compare(false)}
        />
        <TargetList
          targeting={targeting}
          draft={draft}
          opened={opened}
          issues={issues}
          isChecked={isChecked}
          reason={reason}
          onGoTo={goTo}
        />
        {draft.warnings
          .filter(({ code }) => code === 'missingValue')
          .map((warning) => (
            <Banner key={warningSentence(warning, draft.context)}>{warningSentence(warning, draft.context)}</Banner>
          ))}
      </div>
      <BeforeSaving targeting={targeting} draft={draft} />
      {draft.isDirty && <SaveBar {...common} onReview={review} />}
      <SaveDialogs {...common} step={step} onStep={setStep} onSaved={() => setChecked(false)} />
    </div>
  )
}
