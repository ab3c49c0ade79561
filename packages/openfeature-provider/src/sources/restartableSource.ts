import type { Source, SourceListener } from './source.ts'

/** Creates a source that opens a session on each start and closes the session before. */
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
