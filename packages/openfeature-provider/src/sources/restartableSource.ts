import type { Source, SourceListener } from './source.ts'

/** Creates a source that opens a session on each start, after closing the previous session. */
export function restartableSource(
  name: string,
  open: (listener: SourceListener) => { readonly close: () => void },
  owns?: Source['owns']
): Source {
  let session: { readonly close: () => void } | undefined
  return {
    name,
    start: (listener) => {
      session?.close()
      session = open(listener)
    },
    close: () => {
      session?.close()
      session = undefined
    },
    ...(owns && { owns })
  }
}
