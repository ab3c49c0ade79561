/** A value with the steps that can be undone and redone. */
export interface History<T> {
  readonly past: readonly T[]
  readonly present: T
  readonly future: readonly T[]
  /** The group of the last step: further steps of it replace it, so that typing a word is one step. */
  readonly group?: string
}

/** The maximum number of steps that can be undone. Older ones are dropped. */
export const MAX_STEPS = 1000

/** Creates a history without steps. */
export function createHistory<T>(present: T): History<T> {
  return { past: [], present, future: [] }
}

/** Adds a step. The same value is none. A step of the same group as the last one extends it. */
export function record<T>(history: History<T>, present: T, group?: string): History<T> {
  if (Object.is(present, history.present)) return history
  const isExtended = group !== undefined && group === history.group && history.future.length === 0
  const past = isExtended ? history.past : [...history.past, history.present].slice(-MAX_STEPS)
  return { past, present, future: [], ...(group === undefined ? {} : { group }) }
}

/** Takes back the last step, or returns the same history without one. */
export function undo<T>(history: History<T>): History<T> {
  const { past, present, future } = history
  if (past.length === 0) return history
  // The length is above 0.
  return { past: past.slice(0, -1), present: past.at(-1) as T, future: [present, ...future] }
}

/** Repeats the last step that was undone, or returns the same history without one. */
export function redo<T>(history: History<T>): History<T> {
  const { past, present, future } = history
  if (future.length === 0) return history
  // The length is above 0.
  return { past: [...past, present], present: future[0] as T, future: future.slice(1) }
}
