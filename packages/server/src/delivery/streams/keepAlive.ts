import { every } from '@burgee/kit'
/** Visits every member once per round, in slices, with one timer. */
export interface KeepAlive<T> {
  readonly add: (member: T) => void
  readonly remove: (member: T) => void
  readonly close: () => void
}

/** Members get random slots, so that connections that opened together are not visited together. */
export function openKeepAlive<T>(visit: (member: T) => void, roundMs: number, random: () => number): KeepAlive<T> {
  const parts = Array.from({ length: PARTS }, () => new Set<T>())
  const partOf = new Map<T, Set<T>>()
  let next = 0
  const visitPart = () => {
    const part = parts[next] ?? []
    next = (next + 1) % PARTS
    for (const member of part) visit(member)
  }
  const job = every(roundMs / PARTS, visitPart, { onError: crash })
  return {
    add: (member) => {
      const part = parts[Math.floor(random() * PARTS)]
      if (!part) return
      part.add(member)
      partOf.set(member, part)
    },
    remove: (member) => {
      partOf.get(member)?.delete(member)
      partOf.delete(member)
    },
    close: () => void job.stop()
  }
}

const PARTS = 15

/** Ends the process, as an error in a timer does. */
export function crash(error: unknown): void {
  queueMicrotask(() => {
    throw error
  })
}
