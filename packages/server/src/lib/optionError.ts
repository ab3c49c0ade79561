/** A setting that cannot be used. The message names the setting and says what it takes. */
export class OptionError extends Error {
  override readonly name = 'OptionError'
}
