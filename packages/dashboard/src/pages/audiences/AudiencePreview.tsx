import type { Audience, AudiencePreview as Preview, SampleUser } from '@burgee/contract/schemas'
import { useEffect, useState } from 'react'
import { useRead } from '../../api/query.ts'
import { useEnvironment } from '../../api/useEnvironment.ts'
import { useMissingPermission } from '../../components/access/useMissingPermission.ts'
import { Section } from '../../components/Page.tsx'
import { Loaded, Skeleton } from '../../components/States.tsx'
import styles from './Audiences.module.css'

interface Props {
  readonly project: string
  readonly audience: Audience
  readonly filters: Audience['filters']
  /** Whether all conditions can be evaluated. */
  readonly isComplete: boolean
}

/** How many recent users the conditions match, as they are in the form. */
export function AudiencePreview({ project, audience, filters, isComplete }: Props) {
  const { environment } = useEnvironment(project)
  const cannotPreview = useMissingPermission('audience:write', project)
  const mayPreview = cannotPreview === undefined
  const settled = useSettled(isComplete ? filters : undefined)
  const preview = useRead(
    'previewAudience',
    {
      params: { project },
      body: { filters: settled ?? filters, environment: environment?.key ?? '', audience: audience._id }
    },
    { enabled: mayPreview && settled !== undefined && environment !== undefined }
  )
  return (
    <Section title="Matching users">
      {!mayPreview && <p className={styles.soft}>The preview {cannotPreview}.</p>}
      {mayPreview && !isComplete && <p className={styles.soft}>Complete the conditions to see how many users match.</p>}
      {mayPreview && isComplete && (
        <div aria-live="polite" className={styles.preview}>
          <Loaded query={preview} title="Users could not be counted" skeleton={<Skeleton rows={1} />}>
            {(found) => <Matches preview={found} environment={environment?.name ?? ''} />}
          </Loaded>
        </div>
      )}
    </Section>
  )
}

function Matches({ preview, environment }: { readonly preview: Preview; readonly environment: string }) {
  const { matched, sampleSize, source, examples } = preview
  if (source === 'synthetic') return <SimulatedMatches isAny={matched.count > 0} environment={environment} />
  return (
    <>
      <p>
        <strong className={styles.count}>{matched.count.toLocaleString('en')}</strong> of{' '}
        {sampleSize.toLocaleString('en')} recent users of {environment}
      </p>
      <div className={styles.share} aria-hidden="true">
        <i style={{ inlineSize: `${matched.share * 100}%` }} />
      </div>
      {examples.length > 0 && (
        <details className={styles.examples}>
          <summary>Examples</summary>
          <ul>
            {examples.map((user) => (
              <li key={user.user_id}>
                <code>{user.user_id}</code> <span className={styles.soft}>{describe(user)}</span>
              </li>
            ))}
          </ul>
        </details>
      )}
    </>
  )
}

/** Simulated users have the values of the conditions, so their number says nothing about the users of an application. */
function SimulatedMatches({ isAny, environment }: { readonly isAny: boolean; readonly environment: string }) {
  return (
    <p className={styles.soft}>
      The server has seen too few users of {environment} to count matching ones.{' '}
      {isAny
        ? 'Some synthetic users match; they have the values of the conditions.'
        : 'No synthetic user matches, although they have the values of the conditions.'}
    </p>
  )
}

function describe({ email, country, platform }: SampleUser): string {
  return [email, country, platform].filter(Boolean).join(' · ')
}

/** Complete conditions once the typing has paused. */
function useSettled(filters: Audience['filters'] | undefined): Audience['filters'] | undefined {
  const [settled, setSettled] = useState(filters)
  const text = filters && JSON.stringify(filters)
  useEffect(() => {
    const timer = setTimeout(() => setSettled(text === undefined ? undefined : JSON.parse(text)), 400)
    return () => clearTimeout(timer)
  }, [text])
  return settled
}
