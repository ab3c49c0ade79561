import { CreateUserAccount } from '@burgee/contract/schemas'
import { parseRequestPart } from '../../api/http/request/parseRequestPart.ts'
import { createUser } from '../../identity/people/createUser.ts'
import { getUser } from '../../identity/people/getUser.ts'
import { prepareAssignedPassword } from '../../identity/people/prepareAssignedPassword.ts'
import { resetPassword } from '../../identity/people/resetPassword.ts'
import { updateUser } from '../../identity/people/updateUser.ts'
import { omitUndefined } from '../../lib/object.ts'
import type { StoreCommand } from '../kit/command.ts'
import {
  assertNoArguments,
  findTextOption,
  getOnlyArgument,
  parseRoleGrants,
  roleOptions
} from '../kit/commandArguments.ts'
import { formatColumns } from '../kit/formatColumns.ts'
import { createGrantFormatter } from '../kit/grantFormatter.ts'

const EMAIL = '<email>'

/** The commands about people. */
export const userCommands: readonly StoreCommand[] = [
  {
    name: 'users add',
    createsStore: true,
    usage: `${EMAIL} [--name <name>] [--role <role>]… [--project <project>]…`,
    summary: 'Add a person and print a password for their first sign-in. Without --role they are a member.',
    flags: { name: { type: 'string' }, ...roleOptions },
    operation: 'createUser',
    run: async ({ edit, caller, ids, print }, line) => {
      const email = getOnlyArgument(line, EMAIL)
      const name = findTextOption(line, 'name') ?? email.replace(/@.*/s, '')
      const person = parseRequestPart(
        CreateUserAccount,
        { email, name, ...omitUndefined({ roles: parseRoleGrants(line) }) },
        'body'
      )
      const { hashed, generated = '' } = await prepareAssignedPassword(undefined, person, ids)
      const user = await edit(caller, (change) => createUser(change, person, hashed))
      print(`added ${user.email} as ${user.userId}`)
      print(formatPassword(generated))
      return 0
    }
  },
  {
    name: 'users list',
    usage: '',
    summary: 'List the people, their roles and whether they are disabled.',
    operation: 'listUsers',
    run: async ({ store, organization, print }, line) => {
      assertNoArguments(line)
      const inWords = await createGrantFormatter(store)
      const where = { _organization: organization.key }
      const { items } = await store.collection('users').list({ where, sortBy: 'email' })
      const rows = items.map(({ email, userId, name, roles, isDisabled }) => {
        return [email, userId, isDisabled ? 'disabled' : 'active', name, inWords(roles)]
      })
      for (const row of formatColumns([['EMAIL', 'USER ID', 'STATE', 'NAME', 'ROLES'], ...rows])) print(row)
      return 0
    }
  },
  {
    name: 'users disable',
    usage: EMAIL,
    summary: 'Refuse a person from now on: every sign-in, and every token of theirs.',
    operation: 'updateUser',
    run: async ({ edit, caller, print }, line) => {
      const reference = getOnlyArgument(line, EMAIL)
      const { email } = await edit(caller, (change) => updateUser(change, reference, { isDisabled: true }))
      print(`disabled ${email}`)
      return 0
    }
  },
  {
    name: 'users password',
    usage: EMAIL,
    summary: 'Give a person another password and print it. What they were signed in to before is void.',
    operation: 'resetPassword',
    run: async ({ store, edit, caller, ids, print }, line) => {
      const user = await getUser(store, getOnlyArgument(line, EMAIL), caller)
      const { hashed, generated = '' } = await prepareAssignedPassword(undefined, user, ids)
      await edit(caller, (change) => resetPassword(change, user._id, hashed))
      print(`${user.email} has another password`)
      print(formatPassword(generated))
      return 0
    }
  }
]

function formatPassword(password: string): string {
  return `password: ${password} (not shown again; to be replaced at the next sign-in)`
}
