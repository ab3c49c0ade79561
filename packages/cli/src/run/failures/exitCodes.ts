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
  /** Not found. */
  notFound: 5,
  /** The resource has changed meanwhile, or its state does not allow the change. */
  conflict: 6,
  /** The server refused the request as invalid. */
  invalid: 7,
  /** The change became a change request, which is not applied. */
  requested: 8,
  /** The server is unreachable, overloaded or failing, or does not respond like a Burgee server. */
  unavailable: 9,
  /** Some of several items failed. */
  partial: 10,
  /** The command needs a confirmation, and there is nobody to ask. */
  unconfirmed: 11,
  /** An internal error. */
  defect: 70,
  /** Standard output cannot be written. */
  output: 74
} as const

/** The meaning of each exit code, in order: the table of docs/guides/cli.md. */
export const exitCodeMeanings: readonly (readonly [code: string, meaning: string])[] = [
  [String(exitCodes.done), 'success, also if there was nothing to do or the reader of the output closed it'],
  [String(exitCodes.found), 'a check found something'],
  [String(exitCodes.usage), 'invalid arguments, files or settings; nothing was sent'],
  [String(exitCodes.credentials), 'not signed in, or the credentials were refused (401)'],
  [String(exitCodes.forbidden), 'a permission is missing (403)'],
  [String(exitCodes.notFound), 'not found (404)'],
  [
    String(exitCodes.conflict),
    'a conflict: the resource has changed meanwhile, or its state does not allow the change (405, 409, 412)'
  ],
  [String(exitCodes.invalid), 'the server refused the request as invalid (400)'],
  [String(exitCodes.requested), 'the change became a change request, which is not applied yet'],
  [
    String(exitCodes.unavailable),
    'the server is unreachable, overloaded or failing, or does not respond like a Burgee server; a change may have been made if the code is OUTCOME_UNKNOWN'
  ],
  [String(exitCodes.partial), 'some of several items failed'],
  [String(exitCodes.unconfirmed), 'the command needs a confirmation, and was declined or has no terminal to ask in'],
  [String(exitCodes.defect), 'an internal error'],
  [String(exitCodes.output), 'standard output cannot be written, as on a full disk; what the command changed stays'],
  ['129, 130, 143', 'interrupted: SIGHUP, SIGINT (Ctrl-C), SIGTERM']
]
