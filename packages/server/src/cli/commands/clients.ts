import { CreateApiClient, UpdateApiClient } from '@burgee/contract/schemas'
import { omitUndefined } from '@burgee/kit'
import { parseBoolean, parseText, UsageError } from '@burgee/kit/settings'
import { parseRequestPart } from '../../api/http/request/parseRequestPart.ts'
import { createApiClient } from '../../identity/clients/createApiClient.ts'
import { generateClientSecret } from '../../identity/clients/generateClientSecret.ts'
import { removeApiClient } from '../../identity/clients/removeApiClient.ts'
import { rotateClientSecret } from '../../identity/clients/rotateClientSecret.ts'
import { updateApiClient } from '../../identity/clients/updateApiClient.ts'
import { revokeAuthorizations } from '../../identity/revocation/revokeAuthorizations.ts'
import type { StoredClient } from '../../storage/resources/organization.ts'
import { liftingSettings, restrictionSettings, toRestrictions } from '../clientRestrictions.ts'
import { formatColumns } from '../formatColumns.ts'
import { storeCommand } from '../kinds/storeCommand.ts'
import { createGrantFormatter, parseRoleGrants, roleSettings } from '../roleGrants.ts'

/** `burgee-server clients …` */
export const clientCommands = [
  storeCommand({
    name: 'clients add',
    summary:
      'Add an API client, and print its secret. A public client has no secret and acts only for people; a confidential client without --role has full access.',
    arguments: ['<name>'],
    settings: {
      id: {
        variable: false,
        placeholder: 'client id',
        help: 'Id of the client; generated if omitted.',
        ignoresEmpty: true,
        parse: parseText
      },
      public: {
        kind: 'switch',
        variable: false,
        help: 'Create a public client, without a secret.',
        parse: parseBoolean
      },
      redirectUri: {
        kind: 'list',
        placeholder: 'address',
        help: 'Address to which a sign-in returns. Repeatable.',
        parse: parseText
      },
      ...roleSettings,
      assistant: {
        kind: 'switch',
        variable: false,
        help: 'Mark the client as an assistant in the audit log.',
        parse: parseBoolean
      },
      ...restrictionSettings
    },
    createsStore: true,
    operation: 'createApiClient',
    run: async ({ arguments: [name], settings }, { edit, caller, ids, now, print }) => {
      const body = {
        name,
        ...omitUndefined({ clientId: settings.id || undefined, roles: parseRoleGrants(settings) }),
        isPublic: settings.public,
        redirectUris: settings.redirectUri,
        isAssistant: settings.assistant,
        ...toRestrictions(settings, now())
      }
      const request = parseRequestPart(CreateApiClient, body, 'body')
      const secret = request.isPublic ? undefined : generateClientSecret(ids)
      const { clientId } = await edit(caller, (change) => createApiClient(change, request, secret))
      print(`client id: ${clientId}`)
      if (secret) print(formatSecret(secret.secret))
      return 0
    }
  }),
  storeCommand({
    name: 'clients list',
    summary: 'List API clients with their expiry and their own roles.',
    settings: {},
    operation: 'listApiClients',
    run: async (_given, { store, organization, print }) => {
      const formatGrants = await createGrantFormatter(store)
      const where = { _organization: organization.key }
      const { items } = await store.collection('clients').list({ where, sortBy: 'clientId' })
      const rows = items.map((client) => {
        const { clientId, name, roles, expiresAt = 'never' } = client
        return [clientId, describeKind(client), name, expiresAt, roles ? formatGrants(roles) : 'full access']
      })
      for (const row of formatColumns([['CLIENT ID', 'KIND', 'NAME', 'EXPIRES', 'ROLES'], ...rows])) print(row)
      return 0
    }
  }),
  storeCommand({
    name: 'clients restrict',
    summary: 'Change when an API client expires and from which networks it may be used.',
    arguments: ['<client-id>'],
    settings: { ...restrictionSettings, ...liftingSettings },
    operation: 'updateApiClient',
    run: async ({ arguments: [reference = ''], settings }, { edit, caller, now, print }) => {
      const body = {
        ...toRestrictions(settings, now()),
        ...(settings.neverExpires ? { expiresAt: null } : {}),
        ...(settings.anyNetwork ? { allowedNetworks: null } : {})
      }
      if (Object.keys(body).length === 0) throw new UsageError('clients restrict needs a restriction to change')
      const request = parseRequestPart(UpdateApiClient, body, 'body')
      const client = await edit(caller, (change) => updateApiClient(change, reference, request))
      const { clientId, expiresAt = 'never', allowedNetworks = ['any'] } = client
      print(`${clientId} expires: ${expiresAt}; networks: ${allowedNetworks.join(', ')}`)
      return 0
    }
  }),
  storeCommand({
    name: 'clients revoke',
    summary: 'Remove an API client, and revoke all tokens issued to it.',
    arguments: ['<client-id>'],
    settings: {},
    operation: 'deleteApiClient',
    run: async ({ arguments: [reference = ''] }, { store, edit, caller, print }) => {
      const client = await edit(caller, (change) => removeApiClient(change, reference))
      await revokeAuthorizations(store, client)
      print(`revoked ${client.clientId}`)
      return 0
    }
  }),
  storeCommand({
    name: 'clients rotate',
    summary: 'Replace the secret of an API client, and print the new one. Existing tokens are revoked.',
    arguments: ['<client-id>'],
    settings: {},
    operation: 'rotateApiClientSecret',
    run: async ({ arguments: [reference = ''] }, { store, edit, caller, ids, print }) => {
      const secret = generateClientSecret(ids)
      const client = await edit(caller, (change) => rotateClientSecret(change, reference, secret))
      await revokeAuthorizations(store, client)
      print(`client id: ${client.clientId}`)
      print(formatSecret(secret.secret))
      return 0
    }
  })
]

function formatSecret(secret: string): string {
  return `client secret: ${secret} (not shown again)`
}

function describeKind({ secretVerifier, isAssistant, isDynamic }: StoredClient): string {
  const kinds = [
    secretVerifier === undefined ? 'public' : 'confidential',
    isAssistant ? 'assistant' : '',
    isDynamic ? 'self-registered' : ''
  ]
  return kinds.filter(Boolean).join(', ')
}
