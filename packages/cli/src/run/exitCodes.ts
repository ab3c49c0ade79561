/** The exit codes, as docs/guides/cli.md documents them. */
export const exitCodes = {
  done: 0,
  /** A check such as `--fail` or `--check` found something. */
  found: 1,
  /** Wrong usage, file or settings; nothing was sent. */
  usage: 2,
  /** Not signed in, or the credentials were refused. */
  credentials: 3,
  /** A permission is missing. */
  forbidden: 4,
  /** There is no such thing. */
  notFound: 5,
  /** It has changed meanwhile, or something is in the way. */
  conflict: 6,
  /** The server refused the request as invalid. */
  invalid: 7,
  /** The change became a change request, which is not applied. */
  requested: 8,
  /** The server is not reachable, overloaded or failing. */
  unavailable: 9,
  /** Some of several items failed. */
  partial: 10,
  /** The command needs a confirmation, and there is nobody to ask. */
  unconfirmed: 11,
  /** A defect of the program. */
  defect: 70
} as const
