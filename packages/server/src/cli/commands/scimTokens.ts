import { CreateScimToken } from '@burgee/contract/schemas'
import { parseRequestPart } from '../../api/http/request/parseRequestPart.ts'
import { createScimToken } from '../../identity/scim/tokens/createScimToken.ts'
import { removeScimToken } from '../../identity/scim/tokens/removeScimToken.ts'
import { expirySettings, toExpiry } from '../clientRestrictions.ts'
import { formatColumns } from '../formatColumns.ts'
import { storeCommand } from '../kinds/storeCommand.ts'

/** `burgee-server scim-tokens …` */
export const scimTokenCommands = [
  storeCommand({
    name: 'scim-tokens create',
    summary: 'Create a token with which an identity provider provisions people and groups, and print it.',
    arguments: ['<name>'],
    settings: expirySettings,
    createsStore: true,
    operation: 'createScimToken',
    run: async ({ arguments: [name], settings }, { edit, caller, ids, now, print }) => {
      const body = { name, ...toExpiry(settings, now()) }
      const request = parseRequestPart(CreateScimToken, body, 'body')
      const secret = ids.scimToken()
      await edit(caller, (change) => createScimToken(change, request, secret))
      print(`scim token: ${secret} (not shown again)`)
      return 0
    }
  }),
  storeCommand({
    name: 'scim-tokens list',
    summary: 'List SCIM tokens with their expiry and last use.',
    settings: {},
    operation: 'listScimTokens',
    run: async (_given, { store, organization, print }) => {
      const where = { _organization: organization.key }
      const { items } = await store.collection('scimTokens').list({ where, sortBy: 'name' })
      const rows = items.map(({ name, createdAt, expiresAt = 'never', lastUsedAt = 'never' }) => {
        return [name, createdAt, expiresAt, lastUsedAt]
      })
      for (const row of formatColumns([['NAME', 'CREATED', 'EXPIRES', 'LAST USED'], ...rows])) print(row)
      return 0
    }
  }),
  storeCommand({
    name: 'scim-tokens revoke',
    summary: 'Revoke a SCIM token. Provisioned people and groups are kept.',
    arguments: ['<name>'],
    settings: {},
    operation: 'deleteScimToken',
    run: async ({ arguments: [reference = ''] }, { edit, caller, print }) => {
      const { name } = await edit(caller, (change) => removeScimToken(change, reference))
      print(`revoked ${name}`)
      return 0
    }
  })
]
