import { analyticsRoutes } from './pages/analytics/routes.ts'
import { environmentRoutes } from './pages/environments/routes.ts'
import { featureRoutes } from './pages/feature/routes.ts'
import { featureListRoutes } from './pages/features/routes.ts'
import { homeRoutes } from './pages/home/routes.ts'
import { projectListRoutes } from './pages/projects/routes.ts'
import { startRoutes } from './pages/start/routes.ts'
import { webhookRoutes } from './pages/webhooks/routes.ts'
import { entry, feature, organization, project, root, shell } from './parents.ts'

export const routeTree = root.addChildren([
  shell.addChildren([
    entry,
    organization.addChildren([
      ...projectListRoutes,
      project.addChildren([
        ...homeRoutes,
        ...startRoutes,
        ...analyticsRoutes,
        ...featureListRoutes,
        feature.addChildren([...featureRoutes]),
        ...environmentRoutes,
        ...webhookRoutes
      ])
    ])
  ])
])
