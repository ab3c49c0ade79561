import { CreateApiClient } from '@burgee/contract'
import { addClient } from '../clients/addClient.ts'
import { forgetAuthorizations } from '../clients/forgetAuthorizations.ts'
import { makeSecret } from '../clients/makeSecret.ts'
import { removeClient } from '../clients/removeClient.ts'
import { rotateSecret } from '../clients/rotateSecret.ts'
import { given } from '../given.ts'
import { validate } from '../http/validate.ts'
import type { StoredClient } from '../store/resources.ts'
import { grantFlags, grantsIn, noArguments, onlyArgument, textOf, textsOf } from './arguments.ts'
import { columns } from './columns.ts'
import type { StoreCommand } from './command.ts'
import { grantWords } from './grantWords.ts'

const CLIENT = '<client id>'

/** The commands about clients of the API. */
export const clientCommands: readonly StoreCommand[] = [
  {
    name: 'clients add',
    makesStore: true,
    usage:
      '<name> [--id <client id>] [--public] [--redirect-uri <address>]… [--role <role>]… [--project <project>]… [--assistant]',
    summary:
      'Add a client and print its secret. A public one has none and acts only for people; another without --role may do everything.',
    flags: {
      id: { type: 'string' },
      public: { type: 'boolean' },
      'redirect-uri': { type: 'string', multiple: true },
      ...grantFlags,
      assistant: { type: 'boolean' }
    },
    operation: 'createApiClient',
    run: async ({ edit, caller, ids, print }, line) => {
      const body = {
        name: onlyArgument(line, '<name>'),
        ...given({ clientId: textOf(line, 'id'), roles: grantsIn(line) }),
        isPublic: line.flags.public === true,
        redirectUris: textsOf(line, 'redirect-uri'),
        isAssistant: line.flags.assistant === true
      }
      const wanted = validate(CreateApiClient, body, 'body')
      const secret = wanted.isPublic ? undefined : makeSecret(ids)
      const { clientId } = await edit(caller, (change) => addClient(change, wanted, secret))
      print(`client id: ${clientId}`)
      if (secret) print(announced(secret.secret))
      return 0
    }
  },
  {
    name: 'clients list',
    usage: '',
    summary: 'List the clients, and what they may do for themselves.',
    operation: 'listApiClients',
    run: async ({ store, organization, print }, line) => {
      noArguments(line)
      const inWords = await grantWords(store)
      const where = { _organization: organization.key }
      const { items } = await store.collection('clients').list({ where, sortBy: 'clientId' })
      const rows = items.map((client) => {
        return [client.clientId, kindOf(client), client.name, client.roles ? inWords(client.roles) : 'everything']
      })
      for (const row of columns([['CLIENT ID', 'KIND', 'NAME', 'ROLES'], ...rows])) print(row)
      return 0
    }
  },
  {
    name: 'clients revoke',
    usage: CLIENT,
    summary: 'Remove a client. Every token it has, for itself or for people, is void.',
    operation: 'deleteApiClient',
    run: async ({ store, edit, caller, print }, line) => {
      const reference = onlyArgument(line, CLIENT)
      const client = await edit(caller, (change) => removeClient(change, reference))
      await forgetAuthorizations(store, client)
      print(`revoked ${client.clientId}`)
      return 0
    }
  },
  {
    name: 'clients rotate',
    usage: CLIENT,
    summary: 'Replace the secret of a client and print the new one. Tokens from before are void.',
    operation: 'rotateApiClientSecret',
    run: async ({ store, edit, caller, ids, print }, line) => {
      const reference = onlyArgument(line, CLIENT)
      const secret = makeSecret(ids)
      const client = await edit(caller, (change) => rotateSecret(change, reference, secret))
      await forgetAuthorizations(store, client)
      print(`client id: ${client.clientId}`)
      print(announced(secret.secret))
      return 0
    }
  }
]

function announced(secret: string): string {
  return `client secret: ${secret} (not shown again)`
}

function kindOf({ secretVerifier, isAssistant, isDynamic }: StoredClient): string {
  const kinds = [
    secretVerifier === undefined ? 'public' : 'confidential',
    isAssistant ? 'assistant' : '',
    isDynamic ? 'registered itself' : ''
  ]
  return kinds.filter(Boolean).join(', ')
}
