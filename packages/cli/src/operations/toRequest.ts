import { isRecord } from '@burgee/kit'
import { UsageError } from '@burgee/kit/settings'
import { suggestion } from '@burgee/kit/text'
import type { OperationCommand, OperationFlag } from '../manifest/operationCommand.ts'
import type { OperationRequest } from '../manifest/operationRequest.ts'

/** The arguments of an operation's command. */
interface GivenArguments {
  readonly positional: string | undefined
  /** The parsed texts by flag; a flag that was not given has none. */
  readonly values: Readonly<Record<string, readonly unknown[]>>
  /** The whole body, or none. */
  readonly body: readonly unknown[]
  /** The flags whose members are to be `null`. */
  readonly unset: readonly string[]
}

/**
 * Builds the request of a command. Flags take precedence over the members of `--body`.
 * @throws {UsageError} on a missing flag, and on a flag that is repeated and takes one value.
 */
export function toRequest(command: OperationCommand, given: GivenArguments): OperationRequest {
  const { name, flags, positional, hasBody } = command
  const nulls = flags.filter(({ flag }) => given.unset.includes(flag.slice(2)))
  assertUnset(command, given)
  const isGiven = (flag: OperationFlag) => (given.values[flag.flag]?.length ?? 0) > 0 || nulls.includes(flag)
  const missing = flags.filter((flag) => {
    return flag.isRequired && !isGiven(flag) && !(flag.in === 'body' && given.body.length > 0)
  })
  if (missing.length > 0) {
    const list = missing.map(({ flag, help }) => `${flag} (${help.replace(/\.$/, '')})`).join(', ')
    throw new UsageError(`${name} needs ${list}. See burgee ${name} --help`)
  }
  const part = (which: OperationFlag['in']) => {
    const members = flags.filter((flag) => flag.in === which && isGiven(flag))
    return Object.fromEntries(
      members.map((flag) => [flag.member, nulls.includes(flag) ? null : readValue(flag, given)])
    )
  }
  return {
    params: { ...part('params'), ...(positional && { [positional]: given.positional }) },
    query: part('query'),
    headers: part('headers'),
    ...(hasBody && bodyOf(command, part('body'), given.body))
  }
}

function readValue({ flag, isList }: OperationFlag, { values }: GivenArguments): unknown {
  const texts = values[flag] ?? []
  if (isList) return texts
  if (texts.length > 1) throw new UsageError(`${flag} can be passed only once`)
  return texts[0]
}

function bodyOf(
  { name, isBodyOptional }: OperationCommand,
  members: object,
  whole: readonly unknown[]
): { readonly body?: unknown } {
  if (whole.length > 1) throw new UsageError('--body can be passed only once')
  const [body] = whole
  const hasMembers = Object.keys(members).length > 0
  if (body === undefined) return hasMembers || !isBodyOptional ? { body: members } : {}
  if (!hasMembers) return { body }
  if (!isRecord(body)) throw new UsageError(`${name} takes flags of members only with an object as --body`)
  return { body: { ...body, ...members } }
}

function assertUnset({ flags }: OperationCommand, { unset }: GivenArguments): void {
  const nullable = flags.filter(({ isNullable }) => isNullable).map(({ flag }) => flag.slice(2))
  for (const name of unset) {
    if (nullable.includes(name)) continue
    const known = nullable.length > 0 ? `it takes ${nullable.join(', ')}` : 'no member can be removed'
    throw new UsageError(`--unset cannot be ${JSON.stringify(name)}${suggestion(name, nullable)}: ${known}`)
  }
}
