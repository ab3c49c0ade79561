// Pages of the dashboard that results link to, below its origin. `{org}` stands for the id of the organization.

/** The page of a project. */
export const projectPage = (project: string) => `/o/{org}/p/${project}`

/** The list of projects. */
export const projectsPage = '/o/{org}/settings/projects'

/** The list of the features of a project. */
export const featuresPage = (project: string) => `${projectPage(project)}/features`

/** A page about a feature. */
export const featurePage = (
  project: string,
  feature: string,
  part: 'overview' | 'manage-feature' | 'audit-log' | 'analytics'
) => `${featuresPage(project)}/${feature}/${part}`

/** The list of the variables of a project. */
export const variablesPage = (project: string) => `${projectPage(project)}/variables`

/** The analytics of a project. */
export const analyticsPage = (project: string) => `${projectPage(project)}/analytics`

/** The identity and the overrides of the caller. */
export const overridesPage = '/o/{org}/settings/profile-overrides'
