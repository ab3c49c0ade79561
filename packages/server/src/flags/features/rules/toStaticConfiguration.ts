import type { Feature, StaticConfiguration } from '@burgee/contract/schemas'
import type { StoredEnvironment } from '../../../storage/resources/project.ts'
import { getStaticVariation } from './applyStaticConfigurationUpdate.ts'
import type { FeatureState } from './model/featureState.ts'

/**
 * Serializes the static configuration of a complete feature.
 * @throws {HttpError} 412 when the feature is not complete.
 */
export function toStaticConfiguration(
  state: FeatureState,
  shown: Feature,
  environments: readonly StoredEnvironment[]
): StaticConfiguration {
  const { _id } = getStaticVariation(state)
  const statuses = environments.flatMap(({ _id: _environment, key }) => {
    const configuration = shown.configurations.find((each) => each._environment === _environment)
    return configuration ? [[key, { status: configuration.status }] as const] : []
  })
  return {
    ...pick(shown, members),
    variables: shown.variations.find((variation) => variation._id === _id)?.variables ?? {},
    environments: Object.fromEntries(statuses),
    readonly: shown.readonly
  }
}

const members = [
  'key',
  'name',
  'description',
  'type',
  'tags',
  'controlVariation',
  'settings',
  'sdkVisibility',
  'staleness',
  'summary'
] as const satisfies readonly (keyof Feature & keyof StaticConfiguration)[]

function pick<T extends object, K extends keyof T>(from: T, names: readonly K[]): Pick<T, K> {
  // A missing name is an optional property, which `Pick` keeps optional.
  return Object.fromEntries(names.flatMap((name) => (name in from ? [[name, from[name]]] : []))) as Pick<T, K>
}
