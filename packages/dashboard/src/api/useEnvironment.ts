import type { Environment } from '@burgee/contract/schemas'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { lastEnvironment, rememberEnvironment } from '../preferences/preferences.ts'
import { useEnvironments } from './useEnvironments.ts'

interface EnvironmentChoice {
  readonly environments: readonly Environment[]
  /** The chosen one; `undefined` while the environments load. */
  readonly environment: Environment | undefined
  readonly choose: (key: string) => void
}

/** The chosen environment: that of the address, else the last one in this browser, else production. */
export function useEnvironment(project: string | undefined): EnvironmentChoice {
  const { env } = useSearch({ strict: false })
  const navigate = useNavigate()
  const environments: readonly Environment[] = useEnvironments(project).data ?? []
  const byKey = (key: string | undefined) => environments.find((environment) => environment.key === key)
  const environment =
    byKey(env) ?? byKey(lastEnvironment()) ?? environments.find(({ type }) => type === 'production') ?? environments[0]
  const choose = (key: string) => {
    rememberEnvironment(key)
    void navigate({ to: '.', search: (previous: object) => ({ ...previous, env: key }), replace: true })
  }
  return { environments, environment, choose }
}
