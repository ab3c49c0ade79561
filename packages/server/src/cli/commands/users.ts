import { CreateUserAccount } from '@burgee/contract/schemas'
import { omitUndefined } from '@burgee/kit'
import { parseText } from '@burgee/kit/settings'
import { parseRequestPart } from '../../api/http/request/parseRequestPart.ts'
import { createUser } from '../../identity/people/createUser.ts'
import { getUser } from '../../identity/people/getUser.ts'
import { hasProvenAddress } from '../../identity/people/insertUser.ts'
import { prepareAssignedPassword } from '../../identity/people/prepareAssignedPassword.ts'
import { resetPassword } from '../../identity/people/resetPassword.ts'
import { updateUser } from '../../identity/people/updateUser.ts'
import { resetSecondFactors } from '../../identity/secondFactor/resetSecondFactors.ts'
import { formatColumns } from '../formatColumns.ts'
import { storeCommand } from '../kinds/storeCommand.ts'
import { createGrantFormatter, parseRoleGrants, roleSettings } from '../roleGrants.ts'

/** `burgee-server users …` */
export const userCommands = [
  storeCommand({
    name: 'users add',
    summary: 'Add a person, and print a password for the first sign-in. The default role is member.',
    arguments: ['<email>'],
    settings: {
      name: {
        variable: false,
        help: 'Name of the person; the part of the e-mail address before @ if omitted.',
        parse: parseText
      },
      ...roleSettings
    },
    createsStore: true,
    operation: 'createUser',
    run: async ({ arguments: [email = ''], settings }, { edit, caller, ids, hasher, print }) => {
      const name = settings.name || email.replace(/@.*/s, '')
      const body = { email, name, ...omitUndefined({ roles: parseRoleGrants(settings) }) }
      const person = parseRequestPart(CreateUserAccount, body, 'body')
      const { hashed, generated = '' } = await prepareAssignedPassword(undefined, person, {
        ids,
        hasher,
        caller: caller.id
      })
      const user = await edit(caller, (change) => createUser(change, person, hashed))
      print(`added ${user.email} as ${user.userId}`)
      print(formatPassword(generated))
      return 0
    }
  }),
  storeCommand({
    name: 'users list',
    summary: 'List people with their roles and states.',
    settings: {},
    operation: 'listUsers',
    run: async (_given, { store, organization, print }) => {
      const formatGrants = await createGrantFormatter(store)
      const where = { _organization: organization.key }
      const { items } = await store.collection('users').list({ where, sortBy: 'email' })
      const rows = items.map((user) => {
        const { email, userId, name, roles, isDisabled } = user
        const address = hasProvenAddress(user) ? email : `${email} (not verified)`
        return [address, userId, isDisabled ? 'disabled' : 'active', name, formatGrants(roles)]
      })
      for (const row of formatColumns([['EMAIL', 'USER ID', 'STATE', 'NAME', 'ROLES'], ...rows])) print(row)
      return 0
    }
  }),
  storeCommand({
    name: 'users disable',
    summary: 'Disable a person: reject their sign-ins and tokens.',
    arguments: ['<email>'],
    settings: {},
    operation: 'updateUser',
    run: async ({ arguments: [reference = ''] }, { edit, caller, print }) => {
      const { email } = await edit(caller, (change) => updateUser(change, reference, { isDisabled: true }))
      print(`disabled ${email}`)
      return 0
    }
  }),
  storeCommand({
    name: 'users password',
    summary: 'Replace the password of a person, and print the new one. Existing sign-ins and tokens are revoked.',
    arguments: ['<email>'],
    settings: {},
    operation: 'resetPassword',
    run: async ({ arguments: [reference = ''] }, { store, edit, caller, ids, hasher, print }) => {
      const user = await getUser(store, reference, caller)
      const { hashed, generated = '' } = await prepareAssignedPassword(undefined, user, {
        ids,
        hasher,
        caller: caller.id
      })
      await edit(caller, (change) => resetPassword(change, user._id, hashed))
      print(`replaced the password of ${user.email}`)
      print(formatPassword(generated))
      return 0
    }
  }),
  storeCommand({
    name: 'users reset-factors',
    summary: 'Remove the second factors of a person, and revoke existing sign-ins and tokens.',
    arguments: ['<email>'],
    settings: {},
    operation: 'resetSecondFactors',
    run: async ({ arguments: [reference = ''] }, { edit, caller, print }) => {
      const { email } = await edit(caller, (change) => resetSecondFactors(change, reference))
      print(`removed the second factors of ${email}`)
      return 0
    }
  })
]

function formatPassword(password: string): string {
  return `password: ${password} (not shown again; must be changed at the next sign-in)`
}
