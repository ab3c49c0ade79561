import type { Config } from '@burgee/core'
import type { Source, SourceListener } from './source.ts'

/** A source whose config the application sets. */
export interface StaticSource extends Source {
  /** Replaces the config for all further evaluations. */
  readonly set: (config: Config) => void
}

/** Provides a config from memory, for tests and for applications that fetch configs themselves. */
export function staticSource(config: Config): StaticSource {
  // A copy, because the application may modify its object later.
  let current = structuredClone(config)
  let listener: SourceListener | undefined
  return {
    name: 'the static config',
    start: (newListener) => {
      listener = newListener
      listener.onConfig({ config: current })
    },
    set: (next) => {
      current = structuredClone(next)
      listener?.onConfig({ config: current })
    },
    close: () => {
      listener = undefined
    }
  }
}
