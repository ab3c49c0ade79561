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

/** The meaning of each exit code, in order. */
export const exitCodeMeanings: readonly (readonly [code: string, meaning: string])[] = [
  [String(exitCodes.done), 'done, or nothing to do; also if the reader of the output has read enough'],
  [String(exitCodes.found), 'a check found something'],
  [String(exitCodes.usage), 'wrong usage, file or settings; nothing was sent'],
  [String(exitCodes.credentials), 'not signed in, or the credentials were refused (401)'],
  [String(exitCodes.forbidden), 'a permission is missing (403)'],
  [String(exitCodes.notFound), 'there is no such thing (404)'],
  [String(exitCodes.conflict), 'it has changed meanwhile, or something is in the way (405, 409, 412)'],
  [String(exitCodes.invalid), 'refused as invalid by the server (400)'],
  [String(exitCodes.requested), 'became a change request, which is not applied'],
  [String(exitCodes.unavailable), 'the server is not reachable, overloaded or failing, or is no Burgee server'],
  [String(exitCodes.partial), 'some of several items failed'],
  [String(exitCodes.unconfirmed), 'needs a confirmation, and there was no terminal to ask in, or the answer was no'],
  [String(exitCodes.defect), 'a defect of the program'],
  ['129, 130, 143', 'interrupted: the terminal closed, Ctrl-C, terminated']
]
