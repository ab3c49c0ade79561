import type { Config } from '@burgee/core'
import type { Source, SourceListener } from './source.ts'

/** A source whose config the application sets. */
export interface StaticSource extends Source {
  /** Replaces the config; following evaluations use it. */
  readonly set: (config: Config) => void
}

/** Provides a config from memory, for tests and for applications that fetch it themselves. */
export function staticSource(config: Config): StaticSource {
  // Copies, because the application may change its object later.
  let current = structuredClone(config)
  let listener: SourceListener | undefined
  return {
    name: 'the static config',
    start: (to) => {
      listener = to
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
