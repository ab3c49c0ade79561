import type { Source, SourceListener } from './source.ts'

/** A source of what delivers to one listener until it is closed: each start begins another, and ends the one before. */
export function restartableSource(
  name: string,
  begin: (listener: SourceListener) => { readonly close: () => void },
  owns?: Source['owns']
): Source {
  let running: { readonly close: () => void } | undefined
  return {
    name,
    start: (listener) => {
      running?.close()
      running = begin(listener)
    },
    close: () => {
      running?.close()
      running = undefined
    },
    ...(owns && { owns })
  }
}
