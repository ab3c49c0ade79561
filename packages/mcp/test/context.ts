import { randomBytes } from 'node:crypto'
import { createTokenSource } from '@burgee/contract/client'
import { addCleanup } from '@burgee/testing/cleanup'
import { options, type TestServer } from '@burgee/testing/harness'
import type { McpServerContext } from '../src/context.ts'
import type { ToolSettings } from '../src/settings.ts'

/** The settings of a tool server under test: as they are when nobody says anything, in project `shop`. */
export const settings: ToolSettings = {
  confirm: 'always',
  readOnly: false,
  categories: [],
  sdkKeys: true,
  project: 'shop',
  dashboardUrl: ''
}

/** What a tool server that serves one person has, in front of a server. */
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

/** The administrator's tokens. */
export function adminTokens({ url }: Pick<TestServer, 'url'>) {
  const { adminClientId: clientId, adminClientSecret: clientSecret } = options
  return createTokenSource({ baseUrl: url, credentials: { clientId, clientSecret } })
}

export { addCleanup }
