import { ownsUpdate, type Source, type SourceListener } from './source.ts'

/**
 * The first of several sources that has a config. Where one fails that has delivered nothing yet, the next one is
 * started too; when an earlier one delivers after all, it takes over and the later ones are closed.
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
  const later = sources.slice(index + 1)
  let hasDelivered = false
  let isPassedOn = false
  const passOn = (): void => {
    if (isPassedOn || hasDelivered) return
    isPassedOn = true
    startFrom(sources, index + 1, listener)
  }
  source.start({
    ...listener,
    onConfig: (delivery) => {
      const isInUse = listener.onConfig(delivery)
      if (!isInUse) passOn()
      else if (!hasDelivered) {
        hasDelivered = true
        for (const other of later) other.close()
      }
      return isInUse
    },
    onFailure: (failure) => {
      // What is wrong with one that another stands in for is not what is wrong with the config in use.
      if (hasDelivered || later.length === 0) listener.onFailure(failure)
      else listener.onWarning(failure.message)
      passOn()
    }
  })
}
