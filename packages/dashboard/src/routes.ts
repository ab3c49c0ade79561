import { featureRoutes } from './pages/feature/routes.ts'
import { featureListRoutes } from './pages/features/routes.ts'
import { featureHistoryRoutes, projectHistoryRoutes } from './pages/history/routes.ts'
import { projectListRoutes } from './pages/projects/routes.ts'
import { inboxRoutes, requestRoutes } from './pages/requests/routes.ts'
import { entry, feature, organization, project, root, shell } from './parents.ts'

export const routeTree = root.addChildren([
  shell.addChildren([
    entry,
    organization.addChildren([
      ...projectListRoutes,
      project.addChildren([
        ...featureListRoutes,
        ...projectHistoryRoutes,
        ...inboxRoutes,
        feature.addChildren([...featureRoutes, ...featureHistoryRoutes, ...requestRoutes])
      ])
    ])
  ])
])
