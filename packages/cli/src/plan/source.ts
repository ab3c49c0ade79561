import type { Environment } from '@burgee/kit/settings'

/** Where files come from, as CI systems tell it. */
export interface Source {
  readonly repository?: string
  readonly path?: string
  readonly commit?: string
}

/** Returns the repository and the commit of a job of GitHub Actions or GitLab CI. */
export function readSource(environment: Environment, paths: readonly string[]): Source {
  const repository = environment.GITHUB_REPOSITORY || environment.CI_PROJECT_PATH
  const commit = environment.GITHUB_SHA || environment.CI_COMMIT_SHA
  const path = paths.join(' ').slice(0, 500)
  return {
    ...(repository && { repository }),
    ...(commit && { commit }),
    ...(path && { path })
  }
}
