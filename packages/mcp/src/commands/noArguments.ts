import { type Given, OptionError } from '../options.ts'

/** Demands that a command was given no arguments. @throws {OptionError} */
export function noArguments({ positionals }: Given): void {
  if (positionals.length > 0)
    throw new OptionError(`this takes no arguments, and a command comes first; got ${positionals.join(' and ')}`)
}
