import type { Config, Feature } from '@burgee/core'
import { obfuscatedKeys } from './obfuscatedKeys.ts'

/**
 * Obfuscates the keys of a config for servers that evaluate on behalf of pages. Rules stay readable, and so do the
 * reason texts that such a server derives from them.
 */
export function obfuscateConfig<C extends Config>({ offValues: _ofrepOnly, ...config }: C, compiled: Config) {
  const keyOf = obfuscatedKeys(compiled)
  const features = config.features.map(({ settings, variations, configuration, ...feature }): Feature => {
    const { optInEnabled = false } = settings ?? {}
    return {
      ...feature,
      key: keyOf(feature._id),
      settings: { optInEnabled, publicName: '', publicDescription: '' },
      variations: variations.map((variation) => {
        const key = keyOf(variation._id)
        return { ...variation, key, name: key }
      }),
      configuration: { ...configuration, targets: configuration.targets.map(({ name: _name, ...target }) => target) }
    }
  })
  const variables = config.variables.map(({ _id, type }) => ({ _id, key: keyOf(_id), type }))
  return { ...config, features, variables }
}
