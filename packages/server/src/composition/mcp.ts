import type { RequestListener } from 'node:http'
import type { ToolLog } from '@burgee/mcp'
import { createInProcessFetch } from '../api/http/inProcessFetch.ts'
import type { HandleMcpRequest } from '../api/http/mcpRoutes.ts'
import type { Options } from '../cli/settings.ts'
import { deriveSecrets } from '../identity/keys/deriveSecrets.ts'
import type { SigningKeys } from '../identity/keys/signingKeys.ts'
import { toToolsUrl } from '../identity/tokens/protectedResources.ts'
import { toIssuer } from '../identity/tokens/toIssuer.ts'
import type { ToolTokenVerifier } from '../identity/tokens/toolTokenVerifier.ts'
import { HttpError } from '../lib/errors.ts'
import type { Logger } from '../lib/logger.ts'
import { createRateLimit, type RateLimit } from '../lib/rateLimiter.ts'

interface Dependencies {
  readonly options: Options
  readonly keys: SigningKeys
  readonly log: Logger
  readonly now: () => number
  readonly publicUrl: () => string
  readonly toolTokens: ToolTokenVerifier
  /** The HTTP application, whose API the tools call. */
  readonly listener: () => RequestListener
}

/** The tools for assistants at `/mcp` (Model Context Protocol). */
export interface McpEndpoint {
  readonly handle: HandleMcpRequest
  /** Waits a few seconds for tool calls in flight, and closes all sessions. */
  readonly close: () => Promise<void>
}

/** Opens the endpoint if the settings enable it. Its modules are loaded on demand. */
export async function openMcp(dependencies: Dependencies): Promise<McpEndpoint | undefined> {
  const { options, keys, log, now, publicUrl, toolTokens, listener } = dependencies
  if (!options.mcp) return undefined
  const { createToolEndpoint, exchangedTokens } = await import('@burgee/mcp')
  const limit = createRateLimit(options.mcpRateLimit, now, 'tool calls')
  const endpoint = createToolEndpoint({
    context: {
      kind: 'Remote',
      api: { url: 'http://this.server.invalid', fetch: createInProcessFetch(listener) },
      get serverUrl() {
        return toIssuer(publicUrl()).slice(0, -1)
      },
      settings: toToolSettings(options),
      get confirmationKey() {
        return deriveSecrets(keys, 'tool confirmation')[0]
      },
      rateLimit: (caller) => secondsToWait(limit, caller),
      log: toToolLog(log),
      now
    },
    resource: () => toToolsUrl(publicUrl()),
    authorizationServer: () => toIssuer(publicUrl()),
    verify: async (token) => {
      const { subject: id, exchange, ...bearer } = await toolTokens.verify(token)
      return { ...bearer, id, tokens: exchangedTokens(exchange, now) }
    },
    now
  })
  return { handle: endpoint.handle, close: endpoint.close }
}

function toToolSettings({ mcpConfirm, mcpReadOnly, mcpCategories, mcpNoSdkKeys, dashboardUrl }: Options) {
  return {
    confirm: mcpConfirm,
    readOnly: mcpReadOnly,
    categories: mcpCategories,
    sdkKeys: !mcpNoSdkKeys,
    // Each person chooses a project.
    project: '',
    dashboardUrl
  }
}

/** Counts a call. Returns the seconds to wait if the caller has exceeded the limit. */
async function secondsToWait(limit: RateLimit, caller: string): Promise<number | undefined> {
  try {
    await limit(caller)
    return undefined
  } catch (error) {
    if (!(error instanceof HttpError)) throw error
    return Number(error.headers['retry-after'])
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
