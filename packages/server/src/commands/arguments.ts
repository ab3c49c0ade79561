import { type RoleGrant, roles } from '@burgee/contract'
import { CommandError, type Given } from './command.ts'

/** The one argument that a command takes. `name` is what it should be. @throws {CommandError} when there is another number of them. */
export function onlyArgument({ positionals }: Given, name: string): string {
  const [argument, ...others] = positionals
  if (argument === undefined) throw new CommandError(`${name} is missing`)
  if (others.length > 0) throw new CommandError(`give one ${name}, got ${positionals.join(' and ')}`)
  return argument
}

/** Demands that a command was given no arguments. @throws {CommandError} */
export function noArguments({ positionals }: Given): void {
  if (positionals.length > 0) throw new CommandError(`this takes no arguments, got ${positionals.join(' and ')}`)
}

/** The text of a flag, if it was given. */
export function textOf({ flags }: Given, name: string): string | undefined {
  const value = flags[name]
  return typeof value === 'string' ? value : undefined
}

/** The texts of a flag that can be given several times. */
export function textsOf({ flags }: Given, name: string): readonly string[] {
  return [flags[name] ?? []].flat().map(String)
}

/** The flags that grant roles. */
export const grantFlags = {
  role: { type: 'string', multiple: true },
  project: { type: 'string', multiple: true }
} as const

/** The roles that were given, each in every project that was given, or in the organization; nothing when there are none. @throws {CommandError} */
export function grantsIn(given: Given): RoleGrant[] | undefined {
  const projects = textsOf(given, 'project')
  const grants = textsOf(given, 'role').flatMap((text): RoleGrant[] => {
    const role = roles.find((name) => name === text)
    if (!role) throw new CommandError(`--role should be one of ${roles.join(', ')}, got ${JSON.stringify(text)}`)
    return projects.length > 0 ? projects.map((project) => ({ role, project })) : [{ role }]
  })
  if (grants.length > 0) return grants
  if (projects.length > 0) throw new CommandError('--project says where a --role counts: give one')
  return undefined
}
