import { randomBytes } from 'node:crypto'
import { createTokenSource } from '@burgee/contract/client'
import { addCleanup } from '@burgee/testing/cleanup'
import { options, type TestServer } from '@burgee/testing/harness'
import type { McpServerContext } from '../../src/connection/context.ts'
import type { ToolSettings } from '../../src/settings/toolSettings.ts'

/** The settings of a tool server under test: the defaults, with project `shop`. */
export const settings: ToolSettings = {
  confirm: 'always',
  readOnly: false,
  categories: [],
  sdkKeys: true,
  project: 'shop',
  dashboardUrl: ''
}

/** Creates the context of a local tool server for a Burgee server. */
export function createContext({ url }: Pick<TestServer, 'url'>, given: Partial<ToolSettings> = {}): McpServerContext {
  const quiet = () => {}
  return {
    kind: 'Local',
    api: { url },
    serverUrl: url,
    settings: { ...settings, ...given },
    confirmationKey: randomBytes(32),
    log: { info: quiet, debug: quiet, error: quiet },
    now: Date.now
  }
}

/** Returns the token source of the administrator. */
export function adminTokens({ url }: Pick<TestServer, 'url'>) {
  const { adminClientId: clientId, adminClientSecret: clientSecret } = options
  return createTokenSource({ baseUrl: url, credentials: { clientId, clientSecret } })
}

export { addCleanup }
