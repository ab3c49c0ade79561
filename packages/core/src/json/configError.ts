/** Thrown for a config document that cannot be compiled. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError'
  /** The position of the invalid value, such as `features[0].configuration.targets[2].distribution`. */
  readonly path: string

  constructor(path: string, problem: string) {
    super(`${path || 'config'} ${problem}`)
    this.path = path
  }
}
