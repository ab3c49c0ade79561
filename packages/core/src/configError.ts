/** A config document that cannot be compiled; `path` names the member that is wrong. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError'
  /** Where in the document, as in `features[0].configuration.targets[2].distribution`. */
  readonly path: string

  constructor(path: string, problem: string) {
    super(`${path || 'config'} ${problem}`)
    this.path = path
  }
}
