import { Link, Outlet } from '@tanstack/react-router'
import { Badge } from '../../components/Badge.tsx'
import { CopyableKey } from '../../components/Copy.tsx'
import { Page } from '../../components/Page.tsx'
import { isMissing, Loaded, Skeleton } from '../../components/States.tsx'
import { TabLink, TabLinks } from '../../components/TabLinks.tsx'
import { FeatureActions } from './actions/FeatureActions.tsx'
import { OverrideBanner } from './OverrideBanner.tsx'
import { useFeature, useFeatureParams } from './useFeature.ts'

const tabs = [
  { title: 'Overview', to: '/o/$org/p/$project/features/$feature/overview' },
  { title: 'Targeting', to: '/o/$org/p/$project/features/$feature/manage-feature' },
  { title: 'Variations', to: '/o/$org/p/$project/features/$feature/variations' },
  { title: 'Results', to: '/o/$org/p/$project/features/$feature/analytics' },
  { title: 'Compare', to: '/o/$org/p/$project/features/$feature/compare' },
  { title: 'History', to: '/o/$org/p/$project/features/$feature/audit-log' },
  { title: 'Code', to: '/o/$org/p/$project/features/$feature/code' }
] as const

/** The header and tabs of a feature, around each of its pages. */
export function FeatureLayout() {
  const { org, project, feature: reference } = useFeatureParams()
  const query = useFeature()
  const { data: feature } = query
  const params = { org, project, feature: feature?.key ?? reference }
  return (
    <Page
      title={feature?.name ?? reference}
      above={
        <Link to="/o/$org/p/$project/features" params={{ org, project }}>
          ← Features
        </Link>
      }
      beside={
        feature && (
          <>
            <CopyableKey value={feature.key} />
            {feature.type && <Badge tone="off">{feature.type}</Badge>}
            {feature.status !== 'active' && (
              <Badge tone={feature.status === 'archived' ? 'off' : 'live'}>{feature.status}</Badge>
            )}
          </>
        )
      }
      actions={feature && <FeatureActions org={org} project={project} feature={feature} />}
      tabs={
        isMissing(query.error) ? undefined : (
          <TabLinks label="Feature">
            {tabs.map(({ title, to }) => (
              <TabLink key={to} to={to} params={params}>
                {title}
              </TabLink>
            ))}
          </TabLinks>
        )
      }
    >
      <Loaded query={query} title="The feature could not be loaded" skeleton={<Skeleton rows={4} height={96} />}>
        {(loaded) => (
          <>
            <OverrideBanner project={project} feature={loaded} />
            <Outlet />
          </>
        )}
      </Loaded>
    </Page>
  )
}
