import { CreateApiClient } from '@burgee/contract/schemas'
import { parseRequestPart } from '../../api/http/request/parseRequestPart.ts'
import { createApiClient } from '../../identity/clients/createApiClient.ts'
import { generateClientSecret } from '../../identity/clients/generateClientSecret.ts'
import { removeApiClient } from '../../identity/clients/removeApiClient.ts'
import { revokeAuthorizations } from '../../identity/clients/revokeAuthorizations.ts'
import { rotateClientSecret } from '../../identity/clients/rotateClientSecret.ts'
import { omitUndefined } from '../../lib/object.ts'
import type { StoredClient } from '../../storage/resources.ts'
import type { StoreCommand } from '../kit/command.ts'
import {
  assertNoArguments,
  findTextOption,
  getOnlyArgument,
  listTextOptions,
  parseRoleGrants,
  roleOptions
} from '../kit/commandArguments.ts'
import { formatColumns } from '../kit/formatColumns.ts'
import { createGrantFormatter } from '../kit/grantFormatter.ts'

const CLIENT = '<client id>'

/** The commands about clients of the API. */
export const clientCommands: readonly StoreCommand[] = [
  {
    name: 'clients add',
    createsStore: true,
    usage:
      '<name> [--id <client id>] [--public] [--redirect-uri <address>]… [--role <role>]… [--project <project>]… [--assistant]',
    summary:
      'Add a client and print its secret. A public one has none and acts only for people; another without --role may do everything.',
    flags: {
      id: { type: 'string' },
      public: { type: 'boolean' },
      'redirect-uri': { type: 'string', multiple: true },
      ...roleOptions,
      assistant: { type: 'boolean' }
    },
    operation: 'createApiClient',
    run: async ({ edit, caller, ids, print }, line) => {
      const body = {
        name: getOnlyArgument(line, '<name>'),
        ...omitUndefined({ clientId: findTextOption(line, 'id'), roles: parseRoleGrants(line) }),
        isPublic: line.flags.public === true,
        redirectUris: listTextOptions(line, 'redirect-uri'),
        isAssistant: line.flags.assistant === true
      }
      const wanted = parseRequestPart(CreateApiClient, body, 'body')
      const secret = wanted.isPublic ? undefined : generateClientSecret(ids)
      const { clientId } = await edit(caller, (change) => createApiClient(change, wanted, secret))
      print(`client id: ${clientId}`)
      if (secret) print(formatSecret(secret.secret))
      return 0
    }
  },
  {
    name: 'clients list',
    usage: '',
    summary: 'List the clients, and what they may do for themselves.',
    operation: 'listApiClients',
    run: async ({ store, organization, print }, line) => {
      assertNoArguments(line)
      const inWords = await createGrantFormatter(store)
      const where = { _organization: organization.key }
      const { items } = await store.collection('clients').list({ where, sortBy: 'clientId' })
      const rows = items.map((client) => {
        return [client.clientId, describeKind(client), client.name, client.roles ? inWords(client.roles) : 'everything']
      })
      for (const row of formatColumns([['CLIENT ID', 'KIND', 'NAME', 'ROLES'], ...rows])) print(row)
      return 0
    }
  },
  {
    name: 'clients revoke',
    usage: CLIENT,
    summary: 'Remove a client. Every token it has, for itself or for people, is void.',
    operation: 'deleteApiClient',
    run: async ({ store, edit, caller, print }, line) => {
      const reference = getOnlyArgument(line, CLIENT)
      const client = await edit(caller, (change) => removeApiClient(change, reference))
      await revokeAuthorizations(store, client)
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
      const reference = getOnlyArgument(line, CLIENT)
      const secret = generateClientSecret(ids)
      const client = await edit(caller, (change) => rotateClientSecret(change, reference, secret))
      await revokeAuthorizations(store, client)
      print(`client id: ${client.clientId}`)
      print(formatSecret(secret.secret))
      return 0
    }
  }
]

function formatSecret(secret: string): string {
  return `client secret: ${secret} (not shown again)`
}

function describeKind({ secretVerifier, isAssistant, isDynamic }: StoredClient): string {
  const kinds = [
    secretVerifier === undefined ? 'public' : 'confidential',
    isAssistant ? 'assistant' : '',
    isDynamic ? 'registered itself' : ''
  ]
  return kinds.filter(Boolean).join(', ')
}
