/** Thrown for a config document that cannot be compiled. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError'
  /** The position of the invalid value, such as `features[0].configuration.targets[2].distribution`. */
  readonly path: string

  constructor(path: string, problem: string) {
    super(`${abbreviate(path) || 'config'} ${problem}`)
    this.path = path
  }
}

/** Leaves out the middle of a path that would fill a log. */
function abbreviate(path: string): string {
  return path.length <= MAX_SHOWN ? path : `${path.slice(0, MAX_SHOWN / 2)}…${path.slice(-MAX_SHOWN / 2)}`
}

/** The number of characters of a path in a message. */
const MAX_SHOWN = 160
