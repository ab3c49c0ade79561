import { ownsUpdate, type Source, type SourceListener } from './source.ts'

/**
 * Uses the first source that has a config. If a source fails before its first config, the next one is started as well.
 * If the failed source delivers a config later, it takes over and its fallbacks are closed.
 */
export function fallbackSource(...sources: readonly [Source, ...Source[]]): Source {
  return {
    name: sources.map(({ name }) => name).join(', else '),
    start: (listener) => startFrom(sources, 0, listener),
    close: () => {
      for (const source of sources) source.close()
    },
    owns: (owner) => sources.some((source) => ownsUpdate(source, owner))
  }
}

function startFrom(sources: readonly Source[], index: number, listener: SourceListener): void {
  const source = sources[index]
  if (!source) return
  const fallbacks = sources.slice(index + 1)
  let hasDelivered = false
  let hasStartedNext = false
  const startNext = (): void => {
    if (hasStartedNext || hasDelivered) return
    hasStartedNext = true
    startFrom(sources, index + 1, listener)
  }
  source.start({
    ...listener,
    onConfig: (update) => {
      const isInUse = listener.onConfig(update)
      if (!isInUse) startNext()
      else if (!hasDelivered) {
        hasDelivered = true
        for (const other of fallbacks) other.close()
      }
      return isInUse
    },
    onFailure: (failure) => {
      // The failure of a source with a fallback does not affect the config in use.
      if (hasDelivered || fallbacks.length === 0) listener.onFailure(failure)
      else listener.onWarning(failure.message)
      startNext()
    }
  })
}
