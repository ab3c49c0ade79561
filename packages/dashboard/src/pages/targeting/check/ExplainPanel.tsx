import type { ExplainedOperator, ExplainedTarget, SampleUser, User } from '@burgee/contract/schemas'
import { condition, type WordContext } from '@burgee/contract/words'
import { Check, X } from 'lucide-react'
import { type FormEvent, useState } from 'react'
import { useRead, useWrite } from '../../../api/query.ts'
import { Button } from '../../../components/Button.tsx'
import { parseUser, requireId } from '../../../components/explanation/parseUser.ts'
import { SelectField, TextAreaField } from '../../../components/Field.tsx'
import { ErrorBanner } from '../../../components/States.tsx'
import { type Targeting, useTargetingParams } from '../useTargeting.ts'
import type { TargetingDraft } from '../useTargetingDraft.ts'
import styles from './Check.module.css'

interface Props {
  readonly targeting: Targeting
  readonly draft: TargetingDraft
}

/** What one user gets by the draft, and why. The user is neither stored nor counted, and never part of the address. */
export function ExplainPanel({ targeting, draft }: Props) {
  const { environment } = targeting
  const params = useTargetingParams()
  const recent = useRead('listSampleUsers', { params: { project: params.project, key: environment.key }, query: {} })
  const explain = useWrite('explain', [])
  const [text, setText] = useState('{ "user_id": "ada", "country": "CA" }')
  const [problem, setProblem] = useState<string>()
  const ask = (event: FormEvent) => {
    event.preventDefault()
    const typed = text.trim()
    const parsed = typed.startsWith('{') ? parseUser(typed) : requireId({ user_id: typed })
    setProblem(parsed.type === 'problem' ? parsed.message : undefined)
    if (parsed.type === 'problem') return
    // The server validates the user; what it refuses is shown.
    const user = parsed.user as User
    const update = { configurations: { [environment.key]: draft.mine } }
    explain.mutate({
      params: { project: params.project, environment: environment.key },
      body: { user, feature: params.feature, ...(draft.isDirty ? { draft: update } : {}) }
    })
  }
  const feature = explain.data?.features[0]
  return (
    <div className={styles.explain}>
      <form onSubmit={ask} className={styles.explainForm}>
        <RecentUsers users={recent.data ?? []} onChoose={(user) => setText(JSON.stringify(user, undefined, 2))} />
        <TextAreaField label="User, as JSON or a user ID" isCode value={text} onChange={setText} error={problem} />
        <Button type="submit" isBusy={explain.isPending}>
          {draft.isDirty ? 'Explain with the draft' : 'Explain'}
        </Button>
      </form>
      {explain.error && <ErrorBanner error={explain.error} />}
      {feature && (
        <div className={styles.outcome} role="status">
          <p className={styles.figure}>
            → <strong>{feature.variation?.name ?? 'default values'}</strong>
          </p>
          <p className={styles.quiet}>{reasonOf(feature.outcome, feature.problem?.message)}</p>
          <ol className={styles.path}>
            {feature.targets?.map((target, index) => (
              <TargetPath key={target._id} target={target} index={index} context={draft.context} />
            ))}
          </ol>
        </div>
      )}
    </div>
  )
}

function reasonOf(outcome: string, problem: string | undefined): string {
  switch (outcome) {
    case 'overridden':
      return 'by an override of this user'
    case 'unserved':
      return 'no target serves this user'
    case 'disabled':
      return 'the feature is off here'
    case 'failed':
      return problem ?? 'the feature could not be evaluated'
    default:
      return ''
  }
}

interface RecentProps {
  readonly users: readonly SampleUser[]
  readonly onChoose: (user: SampleUser) => void
}

function RecentUsers({ users, onChoose }: RecentProps) {
  if (users.length === 0) return null
  return (
    <SelectField
      label="Recent users"
      value=""
      options={[
        { value: '', label: 'Select a user…' },
        ...users.map(({ user_id, email }) => ({ value: user_id, label: email ? `${user_id} (${email})` : user_id }))
      ]}
      onChange={(id) => {
        const user = users.find(({ user_id }) => user_id === id)
        if (user) onChoose(user)
      }}
    />
  )
}

interface PathProps {
  readonly target: ExplainedTarget
  readonly index: number
  readonly context: WordContext
}

/** Whether a user matches a target, filter by filter. */
function TargetPath({ target, index, context }: PathProps) {
  const { name, isReached, isChosen, filters, rollout, distribution } = target
  return (
    <li className={isChosen ? styles.chosen : undefined}>
      <strong>
        {name ? (
          <>
            {index + 1} <bdi>{name}</bdi>
          </>
        ) : (
          `Target ${index + 1}`
        )}
      </strong>
      {isReached ? (
        <ul>
          <Filters operator={filters} context={context} />
          {rollout && (
            <Fact isTrue={rollout.isAdmitted}>
              {rollout.isAdmitted ? 'included' : 'not included'}: {position(rollout.position)}{' '}
              {rollout.isAdmitted ? '≤' : '>'} {position(rollout.percentage)}
            </Fact>
          )}
          {isChosen && distribution.position !== undefined && distribution.ranges.length > 1 && (
            <Fact isTrue>split: {position(distribution.position)}</Fact>
          )}
        </ul>
      ) : (
        <p className={styles.quiet}>not reached</p>
      )}
    </li>
  )
}

function Filters({ operator, context }: { readonly operator: ExplainedOperator; readonly context: WordContext }) {
  return operator.filters.map((item, index) =>
    'operator' in item ? (
      // biome-ignore lint/suspicious/noArrayIndexKey: the list is a response that does not change.
      <Fact key={index} isTrue={item.isMatched}>
        {item.operator === 'or' ? 'any of' : 'all of'}
        <ul>
          <Filters operator={item} context={context} />
        </ul>
      </Fact>
    ) : (
      // biome-ignore lint/suspicious/noArrayIndexKey: the list is a response that does not change.
      <Fact key={index} isTrue={item.isMatched}>
        {condition(item.filter, context)}
      </Fact>
    )
  )
}

function Fact({ isTrue, children }: { readonly isTrue: boolean; readonly children: React.ReactNode }) {
  return (
    <li className={styles.fact}>
      {isTrue ? <Check size={14} aria-label="yes" /> : <X size={14} aria-label="no" />}
      <span>{children}</span>
    </li>
  )
}

function position(share: number | undefined): string {
  return share === undefined ? '–' : share.toFixed(2)
}
