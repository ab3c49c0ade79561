import { whenRefetched } from '../api/refetch.ts'

/** A sentence about what happened. */
export interface Notice {
  readonly text: string
  /** A notice replaces an earlier one with the same id. */
  readonly id?: string
  /** Undoes the action. */
  readonly onUndo?: () => void
}

const waiting: Notice[] = []
let show = (notice: Notice): void => {
  waiting.push(notice)
}

/**
 * Shows a notice for ten seconds, longer while focused or hovered. F6 moves the focus to it. One about a write appears
 * together with what was written.
 */
export function notify(notice: Notice): void {
  void whenRefetched().then(() => show(notice))
}

/** Registers the function that shows notices, once its code is loaded. It also gets earlier notices. */
export function connectNotices(shower: (notice: Notice) => void): void {
  show = shower
  for (const notice of waiting.splice(0)) shower(notice)
}
