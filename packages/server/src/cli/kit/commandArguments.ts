import { roles } from '@burgee/contract'
import type { RoleGrant } from '@burgee/contract/schemas'
import { CommandError, type ParsedArguments } from './command.ts'

/** The one argument that a command takes. `name` is what it should be. @throws {CommandError} when there is another number of them. */
export function getOnlyArgument({ positionals }: ParsedArguments, name: string): string {
  const [argument, ...others] = positionals
  if (argument === undefined) throw new CommandError(`${name} is missing`)
  if (others.length > 0) throw new CommandError(`give one ${name}, got ${positionals.join(' and ')}`)
  return argument
}

/** Demands that a command was given no arguments. @throws {CommandError} */
export function assertNoArguments({ positionals }: ParsedArguments): void {
  if (positionals.length > 0) throw new CommandError(`this takes no arguments, got ${positionals.join(' and ')}`)
}

/** The text of a flag, if it was given. */
export function findTextOption({ flags }: ParsedArguments, name: string): string | undefined {
  const value = flags[name]
  return typeof value === 'string' ? value : undefined
}

/** The texts of a flag that can be given several times. */
export function listTextOptions({ flags }: ParsedArguments, name: string): readonly string[] {
  return [flags[name] ?? []].flat().map(String)
}

/** The flags that grant roles. */
export const roleOptions = {
  role: { type: 'string', multiple: true },
  project: { type: 'string', multiple: true }
} as const

/** The roles that were given, each in every project that was given, or in the organization; nothing when there are none. @throws {CommandError} */
export function parseRoleGrants(given: ParsedArguments): RoleGrant[] | undefined {
  const projects = listTextOptions(given, 'project')
  const grants = listTextOptions(given, 'role').flatMap((text): RoleGrant[] => {
    const role = roles.find((name) => name === text)
    if (!role) throw new CommandError(`--role should be one of ${roles.join(', ')}, got ${JSON.stringify(text)}`)
    return projects.length > 0 ? projects.map((project) => ({ role, project })) : [{ role }]
  })
  if (grants.length > 0) return grants
  if (projects.length > 0) throw new CommandError('--project says where a --role counts: give one')
  return undefined
}
