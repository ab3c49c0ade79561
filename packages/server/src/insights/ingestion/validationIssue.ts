/** Where something is in a body: the members and places that lead to it. */
export type BodyPath = readonly (string | number)[]

/** Something in a body that is not as it should be. The message begins with the member of what the path leads to, or is about all of it. */
export interface ValidationIssue {
  readonly path: BodyPath
  readonly message: string
}

/** Takes note of a mistake. There can be a great many: the message of one that nobody is told is never made. */
export type ReportIssue = (path: BodyPath, message: () => string) => void

/** A path as programs write it: `batch[0].events[2]`. */
export function formatPath(path: BodyPath): string {
  return path.map((step, index) => (typeof step === 'number' ? `[${step}]` : index === 0 ? step : `.${step}`)).join('')
}
