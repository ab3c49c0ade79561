import { customPropertyRoutes } from './pages/customProperties/routes.ts'
import { featureRoutes } from './pages/feature/routes.ts'
import { featureListRoutes } from './pages/features/routes.ts'
import { projectListRoutes } from './pages/projects/routes.ts'
import { variableRoutes } from './pages/variables/routes.ts'
import { variationRoutes } from './pages/variations/routes.ts'
import { entry, feature, organization, project, root, shell } from './parents.ts'

export const routeTree = root.addChildren([
  shell.addChildren([
    entry,
    organization.addChildren([
      ...projectListRoutes,
      project.addChildren([
        ...featureListRoutes,
        ...variableRoutes,
        ...customPropertyRoutes,
        feature.addChildren([...featureRoutes, ...variationRoutes])
      ])
    ])
  ])
])
