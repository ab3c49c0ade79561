import { CreateUserAccount } from '@burgee/contract'
import { given } from '../given.ts'
import { validate } from '../http/validate.ts'
import { addUser } from '../people/addUser.ts'
import { changeUser } from '../people/changeUser.ts'
import { choosePassword } from '../people/choosePassword.ts'
import { findUser } from '../people/findUser.ts'
import { resetPassword } from '../people/resetPassword.ts'
import { grantFlags, grantsIn, noArguments, onlyArgument, textOf } from './arguments.ts'
import { columns } from './columns.ts'
import type { StoreCommand } from './command.ts'
import { grantWords } from './grantWords.ts'

const EMAIL = '<email>'

/** The commands about people. */
export const userCommands: readonly StoreCommand[] = [
  {
    name: 'users add',
    makesStore: true,
    usage: `${EMAIL} [--name <name>] [--role <role>]… [--project <project>]…`,
    summary: 'Add a person and print a password for their first sign-in. Without --role they are a member.',
    flags: { name: { type: 'string' }, ...grantFlags },
    operation: 'createUser',
    run: async ({ edit, caller, ids, print }, line) => {
      const email = onlyArgument(line, EMAIL)
      const name = textOf(line, 'name') ?? email.replace(/@.*/s, '')
      const person = validate(CreateUserAccount, { email, name, ...given({ roles: grantsIn(line) }) }, 'body')
      const { prepared, madeUp = '' } = await choosePassword(undefined, person, ids)
      const user = await edit(caller, (change) => addUser(change, person, prepared))
      print(`added ${user.email} as ${user.userId}`)
      print(announced(madeUp))
      return 0
    }
  },
  {
    name: 'users list',
    usage: '',
    summary: 'List the people, their roles and whether they are disabled.',
    operation: 'listUsers',
    run: async ({ store, organization, print }, line) => {
      noArguments(line)
      const inWords = await grantWords(store)
      const where = { _organization: organization.key }
      const { items } = await store.collection('users').list({ where, sortBy: 'email' })
      const rows = items.map(({ email, userId, name, roles, isDisabled }) => {
        return [email, userId, isDisabled ? 'disabled' : 'active', name, inWords(roles)]
      })
      for (const row of columns([['EMAIL', 'USER ID', 'STATE', 'NAME', 'ROLES'], ...rows])) print(row)
      return 0
    }
  },
  {
    name: 'users disable',
    usage: EMAIL,
    summary: 'Refuse a person from now on: every sign-in, and every token of theirs.',
    operation: 'updateUser',
    run: async ({ edit, caller, print }, line) => {
      const reference = onlyArgument(line, EMAIL)
      const { email } = await edit(caller, (change) => changeUser(change, reference, { isDisabled: true }))
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
      const user = await findUser(store, onlyArgument(line, EMAIL), caller)
      const { prepared, madeUp = '' } = await choosePassword(undefined, user, ids)
      await edit(caller, (change) => resetPassword(change, user._id, prepared))
      print(`${user.email} has another password`)
      print(announced(madeUp))
      return 0
    }
  }
]

function announced(password: string): string {
  return `password: ${password} (not shown again; to be replaced at the next sign-in)`
}
