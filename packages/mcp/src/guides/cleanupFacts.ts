import { ApiError, collect } from '@burgee/contract/client'
import {
  type EnvironmentState,
  environmentStates,
  type ServedVariation,
  servedInProduction
} from '@burgee/contract/rules'
import type { Feature } from '@burgee/contract/schemas'
import type { Call } from '../api/call.ts'

/** The facts that the guide for removing a feature from code needs. */
export interface CleanupFacts {
  readonly project: string
  readonly feature: {
    readonly key: string
    readonly name: string
    readonly type: Feature['type'] | undefined
    readonly status: Feature['status']
    readonly staticVariation: string | undefined
  }
  readonly servedInProduction: ServedVariation
  readonly environments: readonly EnvironmentState[]
  readonly variables: readonly VariableFacts[]
  /** Why the feature is stale, if it is. */
  readonly staleness?: { readonly reason: string | undefined; readonly since: string | undefined }
  /** The places that read its variables, by the last scans of the default branches; absent without scans. */
  readonly codeReferences?: readonly CodeReferences[]
}

interface CodeReferences {
  readonly repo: string
  readonly branch: string
  readonly scannedAt: string
  readonly variable: string
  /** As in `src/cart.ts:12`. */
  readonly places: readonly string[]
}

interface VariableFacts {
  readonly key: string
  readonly type: string
  readonly persistent: boolean
  readonly archived: boolean
  /** The value in the variation that all users get. */
  readonly value?: unknown
  /** Otherwise the value in each variation, by key. */
  readonly values?: Readonly<Record<string, unknown>>
}

/** Reads the facts about a feature. */
export async function cleanupFacts(featureKey: string, { client, project, now }: Call): Promise<CleanupFacts> {
  const params = { project: project() }
  const query = { sortBy: 'key', sortOrder: 'asc', includeSdkKeys: 'false' } as const
  // Environments come first: for a missing project, reading the feature would report a missing feature.
  const environments = await collect(client.listEnvironments, { params, query })
  const feature = await client.getFeature({ params: { ...params, feature: featureKey } })
  const states = environmentStates(feature, environments, now())
  const served = servedInProduction(states)
  const { key, name, type, status, staticVariation, staleness } = feature
  return {
    project: params.project,
    feature: { key, name, type, status, staticVariation },
    servedInProduction: served,
    environments: states,
    variables: variablesOf(feature, served.variation ?? staticVariation),
    ...(staleness ? { staleness: { reason: staleness.reason, since: staleness.since } } : {}),
    ...(await codeReferences(client, { ...params, feature: key }))
  }
}

/** Reads the places in code. They are a help, so the guide does without them where they cannot be read. */
async function codeReferences(
  client: Call['client'],
  { project, feature }: { readonly project: string; readonly feature: string }
): Promise<Pick<CleanupFacts, 'codeReferences'>> {
  try {
    const query = { feature, current: 'true', perPage: 100 }
    const usages = await client.listCodeUsages({ params: { project }, query })
    if (usages.length === 0) return {}
    return {
      codeReferences: usages.map(({ repo, branch, scannedAt, key: variable, references }) => ({
        repo,
        branch,
        scannedAt,
        variable,
        places: references.slice(0, MAX_PLACES).map(({ fileName, lineNumbers }) => `${fileName}:${lineNumbers.start}`)
      }))
    }
  } catch (error) {
    if (error instanceof ApiError && (error.status === 403 || error.status === 404)) return {}
    throw error
  }
}

/** How many places of a variable the facts name. */
const MAX_PLACES = 50

function variablesOf({ variables, variations }: Feature, served: string | undefined): VariableFacts[] {
  const variation = variations.find(({ key }) => key === served)
  return variables.map(({ key, type, status, persistent = false }) => {
    const values = Object.fromEntries(variations.map((each) => [each.key, each.variables?.[key]]))
    return {
      key,
      type,
      persistent,
      archived: status === 'archived',
      ...(variation ? { value: variation.variables?.[key] } : { values })
    }
  })
}
