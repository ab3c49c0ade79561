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
 * @param previous A config of the same environment, for this type of key or one with the same visibility. Its features
 *   are reused without being visited, except for those whose stored items have changed.
 */
export function buildConfig(sources: ConfigInput, keyType: ViewKind, previous?: Config): Config {
  const before = (previous && states.get(previous)) ?? NO_ROWS
  const { project, environment } = sources
  const view = (sources.views ?? new ProjectViews()).of(keyType, sources)
  const rows = buildRows(sources, view, before)
  const audiences: Record<string, Audience> = {}
  for (const audience of sources.audiences) Object.assign(audiences, toAudiences(audience))
  for (const row of rows) if (row.audiences) Object.assign(audiences, row.audiences)
  const config = {
    project: toSdkProject(project),
    environment: { _id: environment._id, key: environment.key },
    features: removeUndefined(rows.map(({ feature }) => feature)),
    variables: view.variables,
    audiences,
    ...(environment.settings.ofrepOffValues ? { offValues: toAllOffValues(view) } : {})
  }
  states.set(config, { rows, sources })
  return config
}

const states = new WeakMap<Config, RowsState>()

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
