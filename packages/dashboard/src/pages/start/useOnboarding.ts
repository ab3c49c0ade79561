import type { Environment } from '@burgee/contract/schemas'
import { isProtected } from '@burgee/contract/words'
import { useState } from 'react'
import { useRead } from '../../api/query.ts'
import { useEnvironments } from '../../api/useEnvironments.ts'
import { exampleVariable, type SnippetInput } from '../../components/snippets/snippet.ts'

/** How often the page asks for evaluations, in milliseconds. */
const POLL_MS = 4000

/** What the project has already, for the steps to tick. */
export interface Onboarding {
  readonly isLoaded: boolean
  readonly error: Error | null
  readonly environments: readonly Environment[]
  /** The one of the snippets: an unprotected one until another is chosen. */
  readonly environment: Environment | undefined
  readonly chooseEnvironment: (key: string) => void
  /** The first variable of the project, and the id of its feature. */
  readonly variable: (SnippetInput['variable'] & { readonly feature: string | undefined }) | undefined
  /** The evaluations in the environment during the last day. */
  readonly evaluations: number
  /** When the evaluations were counted, in epoch milliseconds. */
  readonly countedAt: number
  /** Whether the feature is on in the environment and has a target. */
  readonly isTargeted: boolean
}

/** Reads how far the project is, and asks for evaluations again until there are some. */
export function useOnboarding(project: string): Onboarding {
  const [chosen, chooseEnvironment] = useState<string>()
  const listed = useEnvironments(project)
  const environments = listed.data ?? []
  const environment =
    environments.find(({ key }) => key === chosen) ?? environments.find((item) => !isProtected(item)) ?? environments[0]
  const variables = useRead('listVariables', { params: { project }, query: { sortOrder: 'asc' } })
  const variable = exampleVariable(variables.data)
  return {
    isLoaded: listed.data !== undefined && variables.data !== undefined,
    error: listed.error ?? variables.error,
    environments,
    environment,
    chooseEnvironment,
    variable: variable && { key: variable.key, type: variable.type, feature: variable._feature },
    ...useEvaluations(project, environment),
    isTargeted: useIsTargeted(project, variable?._feature, environment)
  }
}

function useEvaluations(project: string, environment: Environment | undefined) {
  const { data, dataUpdatedAt } = useRead(
    'getProjectTotalEvaluations',
    { params: { project }, query: { environment: environment?.key, period: 'hour' } },
    { enabled: environment !== undefined, refetchInterval: () => POLL_MS }
  )
  const evaluations = data?.result.evaluations.reduce((sum, { value }) => sum + value, 0) ?? 0
  return { evaluations, countedAt: dataUpdatedAt }
}

function useIsTargeted(project: string, feature: string | undefined, environment: Environment | undefined): boolean {
  const { data } = useRead(
    'listFeatureConfigurations',
    { params: { project, feature: feature ?? '' }, query: { environment: environment?.key } },
    { enabled: feature !== undefined && environment !== undefined }
  )
  return data?.some(({ status, targets }) => status === 'active' && targets.length > 0) ?? false
}
