/** A sentence about what happened. */
export interface Notice {
  readonly text: string
  /** Takes back what was done. */
  readonly onUndo?: () => void
}

const waiting: Notice[] = []
let show = (notice: Notice): void => {
  waiting.push(notice)
}

/** Says what happened for ten seconds, longer while focused or hovered. F6 moves the focus to it. */
export function notify(notice: Notice): void {
  show(notice)
}

/** Names what shows notices, once its code is loaded. It also gets those that came before. */
export function connectNotices(shower: (notice: Notice) => void): void {
  show = shower
  for (const notice of waiting.splice(0)) shower(notice)
}
