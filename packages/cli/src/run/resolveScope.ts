import { UsageError } from '@burgee/kit/settings'
import type { Profile } from '../profiles/profileFile.ts'
import type { RepositorySettings } from '../repository/parseRepositoryFile.ts'

/** The sources of a project and an environment, in order of precedence. */
interface ScopeSources {
  readonly options: { readonly project?: string; readonly environment?: string }
  readonly repository: RepositorySettings
  readonly profile: Profile | undefined
}

/** The project and the environment of a command. */
export interface Scope {
  /** @throws {UsageError} without one. */
  readonly project: () => string
  /** @throws {UsageError} without one. */
  readonly environment: () => string
}

/** Resolves the project and the environment of the settings, the repository or the profile. */
export function resolveScope({ options, repository, profile }: ScopeSources): Scope {
  const required = (name: 'project' | 'environment') => {
    const value = options[name] || repository[name] || profile?.[name]
    if (value) return value
    const variable = `BURGEE_${name.toUpperCase()}`
    throw new UsageError(
      `the ${name} is missing: pass --${name} <key>, set ${variable}, add it to burgee.yaml, or choose one with burgee use <profile> --${name} <key>`
    )
  }
  return { project: () => required('project'), environment: () => required('environment') }
}
