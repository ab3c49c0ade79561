import type { Feature } from '@burgee/contract/schemas'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { useRead } from '../../../api/query.ts'
import { usePermission } from '../../../api/session.ts'
import { useMissingPermission } from '../../../components/access/useMissingPermission.ts'
import { Button } from '../../../components/Button.tsx'
import { Markdown } from '../../../components/markdown/Markdown.tsx'
import { Section } from '../../../components/Page.tsx'
import { Time } from '../../../components/Time.tsx'
import { useFeatureParams } from '../useFeature.ts'
import styles from './about/About.module.css'
import { AboutDialog } from './about/AboutDialog.tsx'

/** What a feature is for: description, owners, tags, links and notes. */
export function About({ project, feature }: { readonly project: string; readonly feature: Feature }) {
  const [isEditing, setEditing] = useState(false)
  const cannotWrite = useMissingPermission('feature:write', project)
  const names = useMemberNames()
  const { org } = useFeatureParams()
  const metrics =
    useRead('listMetricAssociations', { params: { project }, query: { feature: feature._id } }).data?.toReversed() ?? []
  const { description, tags, summary, updatedAt, createdAt } = feature
  const edit = (
    <Button
      onClick={() => setEditing(true)}
      reason={cannotWrite ?? (feature.readonly ? 'you cannot change this feature' : undefined)}
    >
      Edit
    </Button>
  )
  return (
    <Section isPanel title="About" actions={edit}>
      {description && <p className={styles.description}>{description}</p>}
      <dl className={styles.facts}>
        <dt>Owner</dt>
        <dd>{summary.maintainers.map((id) => names.get(id) ?? id).join(', ') || 'none'}</dd>
        <dt>Tags</dt>
        <dd>{tags.length > 0 ? tags.map((tag) => `#${tag}`).join(' ') : 'none'}</dd>
        {summary.links.length > 0 && (
          <>
            <dt>Links</dt>
            <dd>
              <ul>
                {summary.links.map(({ url, title }) => (
                  <li key={url}>
                    <a href={url} rel="noreferrer" target="_blank">
                      {title}
                    </a>
                  </li>
                ))}
              </ul>
            </dd>
          </>
        )}
        {metrics.length > 0 && (
          <>
            <dt>Metrics</dt>
            <dd>
              <ul>
                {metrics.map(({ metric }) => (
                  <li key={metric._id}>
                    <Link
                      to="/o/$org/p/$project/features/$feature/analytics"
                      params={{ org, project, feature: feature.key }}
                      search={{ metric: metric.key } as object}
                    >
                      {metric.name}
                    </Link>
                  </li>
                ))}
              </ul>
            </dd>
          </>
        )}
        <dt>Changed</dt>
        <dd>
          <Time value={updatedAt} />
        </dd>
        <dt>Created</dt>
        <dd>
          <Time value={createdAt} />
        </dd>
      </dl>
      {summary.markdown && <Markdown text={summary.markdown} />}
      {isEditing && <AboutDialog project={project} feature={feature} onClose={() => setEditing(false)} />}
    </Section>
  )
}

/** Names of the people of the organization by id; none without the permission to list them. */
function useMemberNames(): ReadonlyMap<string, string> {
  const mayList = usePermission('organization:read:members')
  const members = useRead('listMembers', { query: { perPage: 1000 } }, { enabled: mayList }).data ?? []
  return new Map(members.map(({ user_id, name }) => [user_id, name]))
}
