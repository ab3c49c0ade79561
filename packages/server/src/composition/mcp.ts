import type { RequestListener } from 'node:http'
import { createRateLimiter } from '@burgee/kit/rateLimiter'
import { withoutTrailingSlashes } from '@burgee/kit/text'
import type { ToolLog } from '@burgee/mcp'
import type { AccessRecorder } from '../access/accessLog/accessRecorder.ts'
import { RestrictionError } from '../access/restrictions/restrictionError.ts'
import { createInProcessFetch, findCurrentAddress } from '../api/http/inProcessFetch.ts'
import type { HandleMcpRequest } from '../api/http/mcpRoutes.ts'
import type { Options } from '../cli/options.ts'
import { deriveSecrets } from '../identity/keys/deriveSecrets.ts'
import type { SigningKeys } from '../identity/keys/signingKeys.ts'
import { toToolsUrl } from '../identity/oauth/protectedResources.ts'
import { toIssuer } from '../identity/oauth/toIssuer.ts'
import type { ToolTokenVerifier } from '../identity/tokens/toolTokenVerifier.ts'
import type { Logger } from '../lib/logger.ts'
import { networkOf, normalizeAddress } from '../lib/network.ts'
import type { OpenedStore } from '../storage/open/openStore.ts'

interface Dependencies {
  readonly options: Options
  readonly keys: SigningKeys
  readonly log: Logger
  readonly accessRecorder: AccessRecorder
  readonly claim?: OpenedStore['claim']
  readonly now: () => number
  readonly publicUrl: () => string
  readonly toolTokens: ToolTokenVerifier
  /** The HTTP application, whose API the tools call. */
  readonly listener: () => RequestListener
  /** Whether this server has a dashboard at an address that others can reach. */
  readonly hasDashboard: () => boolean
}

/** The tools for assistants at `/mcp` (Model Context Protocol). */
export interface McpEndpoint {
  readonly handle: HandleMcpRequest
  /** Waits a few seconds for tool calls in flight, and closes all sessions. */
  readonly close: () => Promise<void>
}

/** Opens the endpoint if the settings enable it. Its modules are loaded on demand. */
export async function openMcp(dependencies: Dependencies): Promise<McpEndpoint | undefined> {
  const { options, keys, log, now, publicUrl, toolTokens, listener, accessRecorder, claim } = dependencies
  if (!options.mcp) return undefined
  /** Records a refusal by a network restriction, which the routes cannot distinguish from other refusals. */
  const recordRefusal = async (error: unknown, address: string): Promise<never> => {
    if (error instanceof RestrictionError && error.restriction === 'network') {
      const event = { kind: 'tokenUse', outcome: 'refused', reason: error.reason, operation: 'mcp' } as const
      await accessRecorder.record({ ...error.caller, ...event, address: normalizeAddress(address) }, networkOf(address))
    }
    throw error
  }
  const { createTokenExchange, createToolEndpoint } = await import('@burgee/mcp')
  const endpoint = createToolEndpoint({
    context: {
      kind: 'Remote',
      api: { url: 'http://this.server.invalid', fetch: createInProcessFetch(listener) },
      get serverUrl() {
        return withoutTrailingSlashes(publicUrl())
      },
      settings: toToolSettings(options, () => (dependencies.hasDashboard() ? withoutTrailingSlashes(publicUrl()) : '')),
      get confirmationKey() {
        return deriveSecrets(keys, 'tool confirmation')[0]
      },
      rateLimit: createRateLimiter(options.mcpRateLimit).consume,
      log: toToolLog(log),
      ...(claim ? { claim } : {}),
      now
    },
    resource: () => toToolsUrl(publicUrl()),
    authorizationServer: () => toIssuer(publicUrl()),
    verify: async (token) => {
      const address = findCurrentAddress() ?? ''
      const verified = toolTokens.verify(token, address)
      const { subject: id, exchange, ...bearer } = await verified.catch((error) => recordRefusal(error, address))
      return { ...bearer, id, tokens: createTokenExchange(exchange, now) }
    },
    now
  })
  return { handle: endpoint.handle, close: endpoint.close }
}

function toToolSettings(
  { mcpConfirm, mcpReadOnly, mcpCategories, mcpNoSdkKeys, dashboardUrl }: Options,
  ownDashboard: () => string
) {
  return {
    confirm: mcpConfirm,
    readOnly: mcpReadOnly,
    categories: mcpCategories,
    sdkKeys: !mcpNoSdkKeys,
    // Each person chooses a project.
    project: '',
    get dashboardUrl() {
      return dashboardUrl || ownDashboard()
    }
  }
}

function toToolLog(log: Logger): ToolLog {
  return {
    info: (details, message) => log.info(withoutBody(details), message),
    debug: (details, message) => log.debug(withoutBody(details), message),
    error: (details, message) => log.error(details, message)
  }
}

/** Drops arguments of tool calls, and messages that repeat them: the log of the server contains no request bodies. */
function withoutBody(details: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  const { arguments: _arguments, errorMessage: _message, ...others } = details
  return others
}
