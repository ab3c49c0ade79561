/** A queue that runs one task at a time, in the order of the calls. */
export interface Serializer {
  /** Runs `task` after all earlier tasks. Returns its result, or rejects with its error. */
  <T>(task: () => T | PromiseLike<T>): Promise<T>
  /** Resolves when all tasks so far have finished. */
  readonly idle: () => Promise<void>
}

/** Creates a queue for tasks that must not overlap. A failed task does not stop later ones. */
export function serialize(): Serializer {
  let tail: Promise<unknown> = Promise.resolve()
  const run = <T>(task: () => T | PromiseLike<T>): Promise<T> => {
    const result = tail.then(task)
    // The caller receives the error; the queue continues.
    tail = result.catch(() => {})
    return result
  }
  return Object.assign(run, { idle: async () => void (await tail) })
}
