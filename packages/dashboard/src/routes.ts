import { accountRoutes } from './pages/account/routes.ts'
import { analyticsRoutes } from './pages/analytics/routes.ts'
import { audienceRoutes } from './pages/audiences/routes.ts'
import { clientRoutes } from './pages/clients/routes.ts'
import { customPropertyRoutes } from './pages/customProperties/routes.ts'
import { environmentRoutes } from './pages/environments/routes.ts'
import { explainRoutes } from './pages/explain/routes.ts'
import { featureRoutes } from './pages/feature/routes.ts'
import { featureListRoutes } from './pages/features/routes.ts'
import { auditLogRoutes, featureHistoryRoutes, projectHistoryRoutes } from './pages/history/routes.ts'
import { homeRoutes } from './pages/home/routes.ts'
import { metricRoutes } from './pages/metrics/routes.ts'
import { newFeatureRoutes } from './pages/newFeature/routes.ts'
import { organizationRoutes } from './pages/organization/routes.ts'
import { overrideRoutes } from './pages/overrides/routes.ts'
import { peopleRoutes } from './pages/people/routes.ts'
import { projectListRoutes } from './pages/projects/routes.ts'
import { compareRoutes, promoteRoutes } from './pages/promote/routes.ts'
import { inboxRoutes, requestRoutes } from './pages/requests/routes.ts'
import { projectSettingsRoutes } from './pages/settings/routes.ts'
import { staleRoutes } from './pages/stale/routes.ts'
import { startRoutes } from './pages/start/routes.ts'
import { targetingRoutes } from './pages/targeting/routes.ts'
import { variableRoutes } from './pages/variables/routes.ts'
import { variationRoutes } from './pages/variations/routes.ts'
import { webhookRoutes } from './pages/webhooks/routes.ts'
import { entry, feature, organization, project, root, shellRoute } from './parents.ts'

export const routeTree = root.addChildren([
  shellRoute.addChildren([
    entry,
    organization.addChildren([
      ...projectListRoutes,
      ...peopleRoutes,
      ...clientRoutes,
      ...organizationRoutes,
      ...auditLogRoutes,
      ...overrideRoutes,
      ...accountRoutes,
      project.addChildren([
        ...homeRoutes,
        ...startRoutes,
        ...analyticsRoutes,
        ...featureListRoutes,
        ...newFeatureRoutes,
        ...staleRoutes,
        ...projectHistoryRoutes,
        ...inboxRoutes,
        feature.addChildren([
          ...featureRoutes,
          ...targetingRoutes,
          ...variationRoutes,
          ...compareRoutes,
          ...featureHistoryRoutes,
          ...requestRoutes
        ]),
        ...explainRoutes,
        ...audienceRoutes,
        ...variableRoutes,
        ...customPropertyRoutes,
        ...metricRoutes,
        ...environmentRoutes,
        ...promoteRoutes,
        ...webhookRoutes,
        ...projectSettingsRoutes
      ])
    ])
  ])
])
