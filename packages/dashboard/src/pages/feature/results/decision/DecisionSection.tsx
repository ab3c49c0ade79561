import type { Environment } from '@burgee/contract/schemas'
import { Link } from '@tanstack/react-router'
import { Check, CircleHelp, TriangleAlert } from 'lucide-react'
import { Badge, type Tone } from '../../../../components/Badge.tsx'
import { Section } from '../../../../components/Page.tsx'
import { Table } from '../../../../components/Table.tsx'
import { useFeatureParams } from '../../useFeature.ts'
import styles from '../Results.module.css'
import { type DecisionWords, decisionSentences, decisionTitles } from './decisionWords.ts'
import { type HealthCheck, healthChecks, type Measured, splitRows } from './healthChecks.ts'

/** The colour of each decision. The badge has its word. */
export const decisionTones = {
  better: 'live',
  worse: 'danger',
  undecided: 'off',
  invalid: 'waiting'
} as const satisfies Record<DecisionWords['decision'], Tone>

interface Props {
  readonly environment: Environment
  /** Whether the feature is neither complete nor archived. */
  readonly isActive: boolean
  readonly measured: readonly (Measured & { readonly metric: { readonly _id: string } })[]
}

/** What can be decided from the figures, and whether they can be trusted. */
export function DecisionSection({ environment, isActive, measured }: Props) {
  const mismatch = measured.find(({ result }) => result.sampleRatio.isMismatch)
  const isNobodyMeasured = measured.every(({ result }) =>
    result.variations.every(({ denominator }) => denominator === 0)
  )
  return (
    <Section title={`Decision in ${environment.name}`}>
      {mismatch ? (
        <Mismatch measured={mismatch} />
      ) : isNobodyMeasured ? (
        <p className={styles.nobody}>
          Not enough data yet: no user got a variation in <bdi>{environment.name}</bdi> in these days. Is the feature on
          there, and do applications evaluate it with a user?
        </p>
      ) : (
        <ul className={styles.decisions}>
          {measured.flatMap(({ metric, result }) =>
            decisionSentences(metric, result, { isActive }).map(({ decision, text }) => (
              <li key={`${metric._id} ${text}`}>
                <Badge tone={decisionTones[decision]}>{decisionTitles[decision]}</Badge>
                <p>{text}</p>
              </li>
            ))
          )}
        </ul>
      )}
      <Health checks={healthChecks(measured)} />
      <Corrections measured={measured} />
      <Reading />
    </Section>
  )
}

/** Takes the place of the decision where the split is wrong: what it is, and where its cause may be. */
function Mismatch({ measured: { result } }: { readonly measured: Measured }) {
  const { org, project, feature } = useFeatureParams()
  const params = { org, project, feature }
  return (
    <div className={styles.mismatch} role="alert">
      <p className={styles.mismatchTitle}>
        <TriangleAlert size={18} aria-hidden="true" />
        Do not trust these results: users are not split as planned.
      </p>
      <Table
        label="Planned and observed split"
        rows={splitRows(result)}
        rowKey={({ key }) => key}
        columns={[
          { id: 'name', title: 'Variation', cell: ({ name }) => <bdi>{name}</bdi> },
          { id: 'planned', title: 'Planned', align: 'end', cell: ({ planned }) => planned },
          { id: 'observed', title: 'Observed', align: 'end', cell: ({ observed }) => observed },
          { id: 'users', title: 'Users', align: 'end', cell: ({ users }) => users }
        ]}
      />
      <p>Chance alone causes such a split in fewer than one of 1,000 experiments. Look at:</p>
      <ul className={styles.causes}>
        <li>
          <Link to="/o/$org/p/$project/features/$feature/audit-log" params={params}>
            History
          </Link>
          : did the shares change within the range? If so, start it on the day after the change.
        </li>
        <li>
          <Link to="/o/$org/p/$project/features/$feature/manage-feature" params={params}>
            Targeting
          </Link>
          : do targets send some users to one variation?
        </li>
        <li>The application: does one variation fail, redirect or lose users before it reports them?</li>
        <li>The evaluations below: do the reports of one variation arrive late, or not at all?</li>
      </ul>
    </div>
  )
}

const icons = {
  ok: <Check size={16} aria-label="OK" />,
  warning: <TriangleAlert size={16} aria-label="warning" />,
  unknown: <CircleHelp size={16} aria-label="unknown" />
} as const

function Health({ checks }: { readonly checks: readonly HealthCheck[] }) {
  return (
    <ul className={styles.health} aria-label="Health checks">
      {checks.map(({ state, text }) => (
        <li key={text} className={styles[state]}>
          {icons[state]}
          <span>{text}.</span>
        </li>
      ))}
    </ul>
  )
}

/** Explains that p-values are corrected for several variations, but not for several metrics. */
function Corrections({ measured }: { readonly measured: readonly Measured[] }) {
  const comparisons = measured[0]?.result.comparisons ?? 0
  if (comparisons < 2 && measured.length < 2) return null
  return (
    <p className={styles.note}>
      {comparisons > 1 &&
        `The p-values of a metric are corrected for its ${comparisons} comparisons (Holm’s method); intervals are not. `}
      {measured.length > 1 &&
        'P-values are not corrected for several metrics: without a real effect, one in twenty metrics looks significant by chance. Decide by the metric that you chose beforehand.'}
    </p>
  )
}

/** How to read the intervals and p-values of all metrics. */
function Reading() {
  return (
    <details className={styles.details}>
      <summary>How to read the results</summary>
      <ul className={styles.reading}>
        <li>
          The intervals and p-values of the tables are <strong>sequential</strong>: they stay valid however often you
          check them while the experiment runs. Once the p-value is below 0.05, the difference is significant.
        </li>
        <li>
          “Detailed statistics” lists those with a <strong>fixed horizon</strong>. They are narrower, and valid for a
          single check at a time that you chose before the experiment.
        </li>
      </ul>
    </details>
  )
}
