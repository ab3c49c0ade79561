import { setImmediate } from 'node:timers/promises'

/** Lets everything else have a turn that waits for one: long work would hold up evaluations otherwise. */
export function breathe(): Promise<void> {
  return setImmediate()
}
