import type { SdkProject } from '@burgee/contract/schemas'
import type { Audience, Config, OffValue } from '@burgee/core'
import { memoizeByIdentity, removeUndefined } from '../../lib/object.ts'
import type { ConfigView } from './affectedEnvironments.ts'
import { buildRows, NO_ROWS, type RowsState, toVariation } from './configRows.ts'
import type { ConfigInput } from './configSources.ts'
import type { KeyProject } from './keyConfig.ts'
import { normalizeFilters } from './normalize/normalizeFilters.ts'
import { ProjectViews, type SdkView, type ViewKind } from './sdkViews.ts'

/**
 * Builds the config document for one type of key: the features that are active in the environment and visible to that
 * type, normalized so that every engine interprets them in the same way (docs/reference/config-document.md). Equal
 * stored items yield identical objects, which `recompile` relies on.
 */
export function buildConfig(sources: ConfigInput, keyType: ViewKind): Config {
  return buildNextConfig(sources, keyType).config
}

/** A config document, and the rows from which the next one is built. */
export interface BuiltConfig {
  readonly config: Config
  readonly rows: RowsState
}

/**
 * Builds the next config document of an environment.
 * @param previous The rows of a config of the same environment, for this type of key or one with the same visibility.
 *   They are reused without being visited, except for those whose stored items have changed.
 */
export function buildNextConfig(sources: ConfigInput, keyType: ViewKind, previous: RowsState = NO_ROWS): BuiltConfig {
  const { project, environment, features, configurations, variables } = sources
  const view = (sources.views ?? new ProjectViews()).of(keyType, sources)
  const rows = buildRows(sources, view, previous)
  const audiences: Record<string, Audience> = {}
  for (const audience of sources.audiences) Object.assign(audiences, toAudiences(audience))
  const active = rows.map((row) => {
    // In the same visit: there can be thousands of rows.
    if (row.audiences) Object.assign(audiences, row.audiences)
    return row.feature
  })
  const config = {
    project: toSdkProject(project),
    environment: { _id: environment._id, key: environment.key },
    features: removeUndefined(active),
    variables: view.variables,
    audiences,
    ...(environment.settings.ofrepOffValues ? { offValues: toAllOffValues(view) } : {})
  }
  return { config, rows: { rows, sources: { features, configurations, variables } } }
}

/** The project settings that SDKs receive. Approval and webhook settings are private. */
export function toSdkProject({ _id, key, _organization, settings }: KeyProject): SdkProject {
  const { edgeDB, optIn, obfuscation, disablePassthroughRollouts } = settings
  const sdkSettings = { edgeDB, optIn, obfuscation, disablePassthroughRollouts }
  return { _id, key, a0_organization: _organization, settings: sdkSettings }
}

/** An audience by id, together with the audiences that its rewritten filters need. */
const toAudiences = memoizeByIdentity(
  ({ _id, filters }: ConfigView<'audiences'>): Readonly<Record<string, Audience>> => {
    const safe = normalizeFilters(_id, filters)
    return { ...safe.audiences, [_id]: { filters: safe.filters } }
  }
)

/** The off values of all features that a type of key sees. The same object as long as that view stays the same. */
const toAllOffValues = memoizeByIdentity(({ visible, variablesOf }: SdkView): NonNullable<Config['offValues']> => {
  return Object.fromEntries(visible().flatMap((feature) => toOffValues(feature, ...variablesOf(feature))))
})

/**
 * The off values by variable key: those of the variation `variation-off`, or of the first variation, which is the
 * control.
 */
const toOffValues = memoizeByIdentity(
  (
    feature: ConfigView<'features'>,
    ...featureVariables: readonly ConfigView<'variables'>[]
  ): readonly [string, OffValue][] => {
    const off = feature.variations.find(({ key }) => key === 'variation-off') ?? feature.variations[0]
    if (!off) return []
    const { variables } = toVariation(off, featureVariables)
    return featureVariables.map(({ key }, index) => [key, { variant: off.key, value: variables[index]?.value ?? null }])
  }
)
