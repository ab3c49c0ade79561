import type { CreatePromotion } from '@burgee/contract/schemas'
import { CheckField, SelectField } from '../../components/Field.tsx'
import { Section } from '../../components/Page.tsx'
import styles from './Promote.module.css'

type Part = NonNullable<CreatePromotion['include']>[number]

/** How features are copied. */
export interface Options {
  readonly include: readonly Part[]
  readonly mode: NonNullable<CreatePromotion['mode']>
  readonly rollouts: NonNullable<CreatePromotion['rollouts']>
  readonly atomic: boolean
}

/** By default, a copy turns nothing on, and refuses features with a rollout that is in progress. */
export const defaultOptions: Options = { include: ['targets'], mode: 'replace', rollouts: 'refuse', atomic: false }

const modes = [
  { value: 'replace', label: 'Replace: the same targets as in the source' },
  { value: 'merge', label: 'Merge: update common targets, add the others at the end' },
  { value: 'append', label: 'Append: add missing targets at the end' }
] as const

const rollouts = [
  { value: 'refuse', label: 'Refuse the feature' },
  { value: 'keep', label: 'Keep their dates' },
  { value: 'shift', label: 'Start them now, with the same steps' },
  { value: 'drop', label: 'Drop them: all matching users are included at once' }
] as const

interface Props {
  readonly options: Options
  readonly onChange: (options: Options) => void
}

export function CopyOptions({ options, onChange }: Props) {
  const { include, mode, rollouts: rollout, atomic } = options
  const toggle = (part: Part, isChecked: boolean) => {
    onChange({
      ...options,
      include: (['targets', 'status'] as const).filter((each) => (each === part ? isChecked : include.includes(each)))
    })
  }
  const copiesTargets = include.includes('targets')
  return (
    <Section title="What to copy">
      <div className={styles.checks}>
        <CheckField label="Targets" isChecked={copiesTargets} onChange={(isChecked) => toggle('targets', isChecked)} />
        <CheckField
          label="Status (on or off)"
          isChecked={include.includes('status')}
          onChange={(isChecked) => toggle('status', isChecked)}
          hint={include.includes('status') ? 'Also turns features on or off.' : 'Does not turn features on or off.'}
        />
        <CheckField
          label="All or nothing"
          isChecked={atomic}
          onChange={(isChecked) => onChange({ ...options, atomic: isChecked })}
          hint={
            atomic
              ? 'If one feature is refused or needs approval, nothing changes.'
              : 'Refused features stay unchanged.'
          }
        />
      </div>
      {copiesTargets && (
        <div className={styles.selects}>
          <SelectField
            label="Existing targets"
            value={mode}
            options={modes}
            onChange={(value) => onChange({ ...options, mode: value })}
          />
          <SelectField
            label="Unfinished rollouts"
            value={rollout}
            options={rollouts}
            onChange={(value) => onChange({ ...options, rollouts: value })}
          />
        </div>
      )}
    </Section>
  )
}
