import { Plus, X } from 'lucide-react'
import { Button, IconButton } from '../../components/Button.tsx'
import { SelectField } from '../../components/Field.tsx'
import { Menu, MenuItem } from '../../components/Menu.tsx'
import { toFraction, toHundredths } from '../percent.ts'
import {
  addStep,
  presetRollout,
  type RolloutPreset,
  removeStep,
  rolloutPresets,
  updateStep,
  withForm
} from '../rollout/editRollout.ts'
import type { RolloutDraft, RolloutStep } from '../rollout/rolloutDraft.ts'
import { rolloutProblems } from '../rollout/rolloutProblems.ts'
import { DateField } from './DateField.tsx'
import { PercentField } from './PercentField.tsx'
import { RolloutCurve } from './RolloutCurve.tsx'
import styles from './Serve.module.css'

interface Props {
  readonly rollout: RolloutDraft
  /** The moment that the curve shows as now, in epoch milliseconds. */
  readonly now: number
  readonly onChange: (rollout: RolloutDraft, group?: string) => void
}

const forms = [
  { value: 'everybody', label: 'everyone' },
  { value: 'moment', label: 'everyone from a start date' },
  { value: 'fixed', label: 'a fixed percentage' },
  { value: 'evenly', label: 'a linear rollout' },
  { value: 'steps', label: 'a stepped rollout' }
] as const

const presetNames: Record<RolloutPreset, string> = {
  week: '1, 5, 25, 50, 100% over a week',
  tenADay: '10% more each day',
  rollBack: 'Back to 0% within an hour'
}

/** When which share of the matching users is included. */
export function RolloutEditor({ rollout, now, onChange }: Props) {
  return (
    <div className={styles.rollout}>
      <div className={styles.rolloutHead}>
        <SelectField
          label="Who is included"
          isLabelHidden
          value={rollout.form}
          options={forms}
          onChange={(form) => onChange(withForm(rollout, form, Date.now()))}
        />
        <Menu trigger={<Button kind="quiet">Presets</Button>}>
          {rolloutPresets.map((preset) => (
            <MenuItem key={preset} onSelect={() => onChange(presetRollout(preset, rollout, Date.now()))}>
              {presetNames[preset]}
            </MenuItem>
          ))}
        </Menu>
      </div>
      <RolloutFields rollout={rollout} onChange={onChange} now={now} />
      {rollout.form !== 'everybody' && <RolloutCurve rollout={rollout} now={now} />}
    </div>
  )
}

function RolloutFields({ rollout, onChange, now }: Props) {
  const problemAt = (row: string, field: 'date' | 'percentage') =>
    rolloutProblems(rollout).find((problem) => problem.row === row && problem.field === field)?.message
  if (rollout.form === 'everybody') return null
  return (
    <div className={styles.stages}>
      <div className={styles.stage}>
        <DateField
          label="From"
          value={rollout.startDate}
          onChange={(startDate) => onChange({ ...rollout, startDate }, 'start date')}
          error={problemAt('start', 'date')}
        />
        {rollout.form !== 'moment' && (
          <PercentField
            label={rollout.form === 'evenly' ? 'Starts at' : 'Included'}
            hundredths={toHundredths(rollout.startPercentage)}
            onChange={(share) => onChange({ ...rollout, startPercentage: toFraction(share) }, 'start share')}
            error={problemAt('start', 'percentage')}
          />
        )}
      </div>
      {rollout.form === 'evenly' && (
        <div className={styles.stage}>
          <DateField
            label="Until"
            value={rollout.endDate}
            onChange={(endDate) => onChange({ ...rollout, endDate }, 'end date')}
            error={problemAt('end', 'date')}
          />
          <PercentField
            label="Reaches"
            hundredths={toHundredths(rollout.endPercentage)}
            onChange={(share) => onChange({ ...rollout, endPercentage: toFraction(share) }, 'end share')}
            error={problemAt('end', 'percentage')}
          />
        </div>
      )}
      {rollout.form === 'steps' && (
        <>
          <ol className={styles.stages}>
            {rollout.steps.map((step, index) => (
              <StepRow
                key={step.key}
                number={index + 1}
                step={step}
                isPast={Date.parse(step.date) <= now}
                dateProblem={problemAt(step.key, 'date')}
                shareProblem={problemAt(step.key, 'percentage')}
                onChange={(update, member) => onChange(updateStep(rollout, step.key, update), `${step.key} ${member}`)}
                onRemove={() => onChange(removeStep(rollout, step.key))}
              />
            ))}
          </ol>
          {problemAt('steps', 'date') && <p className={styles.error}>{problemAt('steps', 'date')}</p>}
          <div>
            <Button
              kind="quiet"
              isFlush
              icon={<Plus size={16} aria-hidden="true" />}
              onClick={() => onChange(addStep(rollout))}
            >
              Step
            </Button>
          </div>
        </>
      )}
    </div>
  )
}

interface StepProps {
  readonly number: number
  readonly step: RolloutStep
  readonly isPast: boolean
  readonly dateProblem: string | undefined
  readonly shareProblem: string | undefined
  readonly onChange: (update: Partial<Omit<RolloutStep, 'key'>>, member: string) => void
  readonly onRemove: () => void
}

function StepRow({ number, step, isPast, dateProblem, shareProblem, onChange, onRemove }: StepProps) {
  return (
    <li className={`${styles.stage} ${isPast ? styles.past : ''}`}>
      <DateField
        label={`Step ${number}${isPast ? ' (past)' : ''}`}
        value={step.date}
        onChange={(date) => onChange({ date }, 'date')}
        error={dateProblem}
      />
      <PercentField
        label="Included"
        hundredths={toHundredths(step.percentage)}
        onChange={(share) => onChange({ percentage: toFraction(share) }, 'share')}
        error={shareProblem}
      />
      <SelectField
        label="Transition"
        value={step.change}
        options={[
          { value: 'jump', label: 'immediate' },
          { value: 'grow', label: 'gradual' }
        ]}
        onChange={(change) => onChange({ change }, 'change')}
      />
      <IconButton label={`Remove step ${number}`} onClick={onRemove}>
        <X size={16} aria-hidden="true" />
      </IconButton>
    </li>
  )
}
