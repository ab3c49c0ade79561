import type { ExplainedFilter, ExplainedOperator, ExplainedTarget } from '@burgee/contract/schemas'
import { Check, X } from 'lucide-react'
import type { ReactNode } from 'react'
import { Badge, type Tone } from '../Badge.tsx'
import {
  describeExplainedFilter,
  type ExplainedUser,
  formatPosition,
  rolloutSentence,
  type TargetFate,
  targetFate
} from './explanationWords.ts'
import styles from './TargetPath.module.css'

interface Props extends ExplainedUser {
  readonly targets: readonly ExplainedTarget[]
}

/** The targets of a feature in order: which conditions the user meets, and where the path ends. */
export function TargetPath({ targets, user, customProperties }: Props) {
  return (
    <ol className={styles.path}>
      {targets.map((target, index) => (
        <li key={target._id} className={target.isReached ? styles.target : `${styles.target} ${styles.isUnreached}`}>
          <span className={styles.number} aria-hidden="true">
            {index + 1}
          </span>
          <div className={styles.body}>
            <TargetHead target={target} position={index + 1} />
            {target.isReached ? (
              <TargetDetails target={target} user={user} customProperties={customProperties} />
            ) : (
              <details className={styles.details}>
                <summary>{target.isMatched ? 'The user would match' : 'The user would not match either'}</summary>
                <TargetDetails target={target} user={user} customProperties={customProperties} />
              </details>
            )}
          </div>
        </li>
      ))}
    </ol>
  )
}

const tones: Record<TargetFate, Tone> = {
  serves: 'live',
  'no match': 'off',
  'not included': 'waiting',
  'not reached': 'off',
  'serves nothing': 'off'
}

function TargetHead({ target, position }: { readonly target: ExplainedTarget; readonly position: number }) {
  const fate = targetFate(target)
  const hit = target.isChosen ? target.distribution.ranges.find(({ isHit }) => isHit) : undefined
  return (
    <div className={styles.head}>
      <strong className={styles.name}>{target.name || `Target ${position}`}</strong>
      <Badge tone={tones[fate]}>{hit ? `serves ${hit.name ?? hit.key ?? hit._variation}` : fate}</Badge>
    </div>
  )
}

function TargetDetails({ target, user, customProperties }: Omit<Props, 'targets'> & { target: ExplainedTarget }) {
  const { filters, rollout, distribution, isMatched, bucketingValue } = target
  const isByAnother = bucketingValue !== undefined && bucketingValue !== user.user_id
  return (
    <ul className={styles.steps}>
      <OperatorSteps operator={filters} user={user} customProperties={customProperties} isRoot />
      {isMatched && rollout && <Step isMet={rollout.isAdmitted}>{rolloutSentence(rollout)}</Step>}
      {isMatched && (rollout?.isAdmitted ?? true) && distribution.ranges.length > 1 && <Split target={target} />}
      {isMatched && isByAnother && (
        <li className={styles.note}>Users with the value “{bucketingValue}” get the same variation.</li>
      )}
    </ul>
  )
}

interface OperatorProps extends ExplainedUser {
  readonly operator: ExplainedOperator
  readonly isRoot?: boolean
}

/** The members of an operator. "All of" at the top needs no words of its own. */
function OperatorSteps({ operator, user, customProperties, isRoot }: OperatorProps) {
  const members = operator.filters.map((member, index) =>
    'operator' in member ? (
      // biome-ignore lint/suspicious/noArrayIndexKey: conditions have no id, and the response does not change.
      <OperatorSteps key={index} operator={member} user={user} customProperties={customProperties} />
    ) : (
      // biome-ignore lint/suspicious/noArrayIndexKey: see above.
      <FilterStep key={index} explained={member} user={user} customProperties={customProperties} />
    )
  )
  if (isRoot && (operator.operator === 'and' || members.length === 1)) return members
  return (
    <li>
      <Mark isMet={operator.isMatched} /> {operator.operator === 'or' ? 'any of' : 'all of'}
      <ul className={styles.nested}>{members}</ul>
    </li>
  )
}

function FilterStep({ explained, ...who }: ExplainedUser & { readonly explained: ExplainedFilter }) {
  const { words, userHas } = describeExplainedFilter(explained, who)
  return (
    <Step isMet={explained.isMatched}>
      {words}
      {userHas && <span className={styles.value}> · {userHas}</span>}
    </Step>
  )
}

/** The ranges of a split, and the user's position in it. */
function Split({ target: { distribution } }: { readonly target: ExplainedTarget }) {
  const { position, ranges } = distribution
  const hit = ranges.find(({ isHit }) => isHit)
  const name = (range: (typeof ranges)[number]) => range.name ?? range.key ?? range._variation
  return (
    <li>
      <Mark isMet={hit !== undefined} /> split
      {position !== undefined && `: position ${formatPosition(position)}`}
      {hit && ` is in ${name(hit)} (${formatPosition(hit.from)} to ${formatPosition(hit.to)})`}
      <div className={styles.split} aria-hidden="true">
        {ranges.map((range) => (
          <span
            key={range._variation}
            className={range.isHit ? styles.isHit : styles.range}
            style={{ inlineSize: `${(range.to - range.from) * 100}%` }}
          >
            {name(range)}
          </span>
        ))}
        {position !== undefined && <i className={styles.position} style={{ insetInlineStart: `${position * 100}%` }} />}
      </div>
    </li>
  )
}

function Step({ isMet, children }: { readonly isMet: boolean; readonly children: ReactNode }) {
  return (
    <li>
      <Mark isMet={isMet} /> {children}
    </li>
  )
}

function Mark({ isMet }: { readonly isMet: boolean }) {
  return isMet ? (
    <Check size={16} className={styles.met} role="img" aria-label="yes:" />
  ) : (
    <X size={16} className={styles.unmet} role="img" aria-label="no:" />
  )
}
