/** Runs one piece of work at a time, in the order in which it was handed over. */
export interface Serializer {
  /** Runs `work` after everything that was handed over before. Returns its result, or rejects with its error. */
  <T>(work: () => T | PromiseLike<T>): Promise<T>
  /** Resolves when everything that was handed over so far has finished. */
  readonly idle: () => Promise<void>
}

/** Creates a queue for work that must not overlap. Work that fails does not stop what comes after it. */
export function serialize(): Serializer {
  let tail: Promise<unknown> = Promise.resolve()
  const run = <T>(work: () => T | PromiseLike<T>): Promise<T> => {
    const result = tail.then(work)
    // The caller receives the error; the queue goes on.
    tail = result.catch(() => {})
    return result
  }
  return Object.assign(run, { idle: async () => void (await tail) })
}
