import { Link } from '@tanstack/react-router'
import { Button } from '../../components/Button.tsx'
import { Banner } from '../../components/States.tsx'
import { Time } from '../../components/Time.tsx'
import type { DraftIssue } from '../../rules/validate.ts'
import styles from './Targeting.module.css'
import { type SaveRules, type Targeting, useTargetingParams } from './useTargeting.ts'
import type { TargetingDraft } from './useTargetingDraft.ts'

interface Props {
  readonly targeting: Targeting
  readonly draft: TargetingDraft
  readonly rules: SaveRules
  readonly issues: readonly DraftIssue[]
  readonly onGoTo: (target: string | undefined) => void
  readonly onCompare: () => void
}

/** The obstacles to a save: a pending request, a conflicting save, and validation issues. */
export function EditorNotices({ targeting, draft, rules, issues, onGoTo, onCompare }: Props) {
  const { org, project, feature } = useTargetingParams()
  const { request } = rules
  return (
    <div className={styles.notices}>
      {request && (
        <Banner>
          <span>
            A change request, made <Time value={request.createdAt} />, waits for review.
            {draft.isDirty
              ? ' Your draft is kept, and cannot be saved while it waits.'
              : ' Until then, nothing can be changed here.'}
          </span>
          <Link
            to="/o/$org/p/$project/features/$feature/change-requests/$request"
            params={{ org, project, feature, request: request._id }}
          >
            Open the request
          </Link>
        </Banner>
      )}
      {draft.isBehind && (
        <Banner tone="brand">
          <span>{targeting.feature.name} has changed since you started this draft. Your draft is unchanged.</span>
          <Button onClick={onCompare}>See what changed</Button>
        </Banner>
      )}
      {issues.length > 0 && (
        <Banner tone="danger">
          <div role="alert">
            <p>{issues.length === 1 ? '1 problem needs' : `${issues.length} problems need`} fixing before saving:</p>
            <ul className={styles.issues}>
              {issues.slice(0, 10).map((issue) => (
                <li key={JSON.stringify([issue.target, issue.node, issue.path, issue.message])}>
                  <button type="button" className={styles.issue} onClick={() => onGoTo(issue.target)}>
                    {issueTitle(issue, draft.value)}
                  </button>
                </li>
              ))}
            </ul>
          </div>
        </Banner>
      )}
    </div>
  )
}

/** What is missing and where, for example “Target 2: choose a variation”. */
export function issueTitle({ target, message }: DraftIssue, { targets }: TargetingDraft['value']): string {
  const index = targets.findIndex(({ key }) => key === target)
  if (targets.length === 0) return `No targets: ${message}`
  const name = index === -1 ? 'All targets' : (targets[index]?.name ?? `Target ${index + 1}`)
  return `${name}: ${message}`
}
