/** Whether a step is done, the one to do now, or a later one. */
export type StepState = 'done' | 'current' | 'later'

/** The states of steps by whether each is done: the first that is not is the current one. */
export function stepStates<Facts extends readonly boolean[]>(
  facts: readonly [...Facts]
): { readonly [Index in keyof Facts]: StepState } {
  const current = facts.indexOf(false)
  // One state for each fact.
  return facts.map((isDone, index) => (isDone ? 'done' : index === current ? 'current' : 'later')) as unknown as {
    readonly [Index in keyof Facts]: StepState
  }
}
