// Compiled against the declarations of all entry points; never executed.
import type * as contract from '@burgee/contract'
import type { Client } from '@burgee/contract/client'
import { createClient } from '@burgee/contract/client'
import type * as openapi from '@burgee/contract/openapi'
import type * as schemas from '@burgee/contract/schemas'
import type { Config, Evaluator, User } from '@burgee/core'
import { compile } from '@burgee/core'
import type * as testing from '@burgee/core/testing'
import { variablesText } from '@burgee/core/text'
import type * as mcp from '@burgee/mcp'
import type * as settings from '@burgee/mcp/settings'
import { BurgeeProvider } from '@burgee/openfeature-provider'
import type { Options, RunningServer } from '@burgee/server'
import { parseOptions, startServer } from '@burgee/server'

declare const config: Config
const user: User = { user_id: 'ada', country: 'CA' }
const evaluator: Evaluator = compile(config)
// @ts-expect-error A user has a user_id; an `any` in the declarations would accept this.
evaluator.variable({ country: 'CA' }, 'new-checkout')

const options: Options = parseOptions(['--store', 'memory:'], {})
const server: RunningServer = await startServer(options)
const client: Client = createClient({ baseUrl: server.url, credentials: { sdkKey: 'server-key' } })
// @ts-expect-error The client knows the operations of the API.
client.noSuchOperation()

export const results = [
  evaluator.variable(user, 'new-checkout'),
  variablesText(evaluator, user),
  client,
  new BurgeeProvider({ url: server.url, sdkKey: 'key' })
]
export type Modules = [typeof contract, typeof openapi, typeof schemas, typeof testing, typeof mcp, typeof settings]
