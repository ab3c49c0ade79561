import type { ReactNode } from 'react'

/** A secret that the server returns only once. */
export interface ShownSecret {
  readonly title: string
  readonly secret: string
  /** What the secret is, for example "the password". */
  readonly what: string
  /** What to do with it. */
  readonly text: ReactNode
  /** Called after the dialog is closed. */
  readonly onClose?: () => void
}

const waiting: ShownSecret[] = []
let show = (secret: ShownSecret): void => {
  waiting.push(secret)
}

/** Shows a secret on the page that is open, also if the person has left the page that requested it. */
export function showSecret(secret: ShownSecret): void {
  show(secret)
}

/** Registers the function that shows secrets, once its code is loaded. It also gets earlier secrets. */
export function connectSecrets(shower: (secret: ShownSecret) => void): void {
  show = shower
  for (const secret of waiting.splice(0)) shower(secret)
}
