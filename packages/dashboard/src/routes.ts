import { featureRoutes } from './pages/feature/routes.ts'
import { featureListRoutes } from './pages/features/routes.ts'
import { projectListRoutes } from './pages/projects/routes.ts'
import { compareRoutes, promoteRoutes } from './pages/promote/routes.ts'
import { entry, feature, organization, project, root, shell } from './parents.ts'

export const routeTree = root.addChildren([
  shell.addChildren([
    entry,
    organization.addChildren([
      ...projectListRoutes,
      project.addChildren([
        ...featureListRoutes,
        feature.addChildren([...featureRoutes, ...compareRoutes]),
        ...promoteRoutes
      ])
    ])
  ])
])
