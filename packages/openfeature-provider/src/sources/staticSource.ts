import type { Config } from '@burgee/core'
import type { Source, SourceListener } from './source.ts'

/** A source whose config is handed to it. */
export interface StaticSource extends Source {
  /** Replaces the config; evaluations that follow read it. */
  readonly set: (config: Config) => void
}

/** A config that the program has at hand, for tests and for programs that fetch it themselves. */
export function staticSource(config: Config): StaticSource {
  // Copies: what is in use may not change, and the caller may go on with what is theirs.
  let current = structuredClone(config)
  let listener: SourceListener | undefined
  return {
    name: 'the literal config',
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
