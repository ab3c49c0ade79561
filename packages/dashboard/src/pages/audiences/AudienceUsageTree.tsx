import type { AudienceUsage } from '@burgee/contract/schemas'
import { isProtected } from '@burgee/contract/words'
import { Link } from '@tanstack/react-router'
import { Shield } from 'lucide-react'
import { useRead } from '../../api/query.ts'
import { useEnvironments } from '../../api/useEnvironments.ts'
import { Section } from '../../components/Page.tsx'
import { Loaded, Skeleton } from '../../components/States.tsx'
import styles from './Audiences.module.css'
import { useAudienceParams } from './useAudience.ts'

/** The features by environment, and the audiences, that refer to an audience. */
export function AudienceUsageTree({ project, audience }: { readonly project: string; readonly audience: string }) {
  const usage = useRead('getAudienceUsage', { params: { project, key: audience } })
  return (
    <Section title="Used by">
      <Loaded query={usage} title="The usage could not be loaded" skeleton={<Skeleton rows={1} />}>
        {({ features, audiences }) => (
          <>
            {features.length + audiences.length === 0 && (
              <p className={styles.soft}>Not used yet. Choose the audience in a condition of a target.</p>
            )}
            {features.length > 0 && <FeatureUsage features={features} />}
            {audiences.length > 0 && <AudienceLinks audiences={audiences} />}
          </>
        )}
      </Loaded>
    </Section>
  )
}

function FeatureUsage({ features }: Pick<AudienceUsage, 'features'>) {
  const { org, project } = useAudienceParams()
  const shielded = new Set((useEnvironments(project).data ?? []).filter(isProtected).map(({ key }) => key))
  return (
    <ul className={styles.usage}>
      {features.map(({ id, key, name, environments }) => (
        <li key={id}>
          <Link to="/o/$org/p/$project/features/$feature/overview" params={{ org, project, feature: key }}>
            {name}
          </Link>
          <ul>
            {Object.entries(environments).map(([environment, { id: environmentId, name: title, targets }]) => (
              <li key={environmentId}>
                {shielded.has(environment) && (
                  <Shield size={14} className={styles.shield} role="img" aria-label="protected" />
                )}
                <Link
                  to="/o/$org/p/$project/features/$feature/manage-feature"
                  params={{ org, project, feature: key }}
                  search={{ env: environment } as object}
                >
                  {title}
                </Link>
                <span className={styles.soft}>
                  {targets.length} {targets.length === 1 ? 'target' : 'targets'}
                </span>
              </li>
            ))}
          </ul>
        </li>
      ))}
    </ul>
  )
}

function AudienceLinks({ audiences }: Pick<AudienceUsage, 'audiences'>) {
  const { org, project } = useAudienceParams()
  return (
    <ul className={styles.usage}>
      {audiences.map(({ id, key, name }) => (
        <li key={id}>
          <Link to="/o/$org/p/$project/audiences/$audience" params={{ org, project, audience: key }}>
            {name}
          </Link>{' '}
          <span className={styles.soft}>audience</span>
        </li>
      ))}
    </ul>
  )
}
