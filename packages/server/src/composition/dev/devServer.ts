import type { RequestListener } from 'node:http'
import { hasCode } from '@burgee/kit/files'
import { sendPlainError } from '../../api/http/response/plainError.ts'
import { parseOptions } from '../../cli/options.ts'
import { openWithDisposer } from '../../lib/disposer.ts'
import { notFound, OptionError } from '../../lib/errors.ts'
import { createMessageLogger } from '../../lib/logger.ts'
import { isLoopback } from '../../lib/network.ts'
import { reasonOf } from '../../lib/reasonOf.ts'
import type { EventEntry } from '../../storage/events/eventEntry.ts'
import { openReplica } from '../replicas/replica.ts'
import { acceptAnyKey, localKeys } from './acceptAnyKey.ts'
import type { LocalConfig } from './localConfig.ts'

/** How a server for development starts. */
export interface DevServerOptions {
  /** 0 selects a free port. */
  readonly port: number
  /** Origins of pages that may send requests, besides those of this computer: `https://shop.test`. */
  readonly origins?: readonly string[]
  /** The config until another one is served. */
  readonly config: LocalConfig
  /** Receives what applications report, and evaluations that the server counts. Nothing is kept. */
  readonly onReport?: (report: DevServerReport) => void
  /** Receives warnings, such as problems of evaluations. */
  readonly onNotice: (message: string) => void
}

/** One evaluation result with its count, or one tracked event. */
export type DevServerReport =
  | {
      readonly type: 'evaluation'
      readonly variable: string | undefined
      readonly feature: string | undefined
      readonly variation: string | undefined
      readonly count: number
    }
  | {
      readonly type: 'event'
      readonly name: string
      readonly user: string
      readonly target: string | undefined
      readonly value: number | undefined
    }

/** A running server for development. */
export interface DevServer {
  /** The address, for example `http://127.0.0.1:8787`. */
  readonly url: string
  /** Serves another config, and announces it to streams. @throws {ConfigError} if it is malformed. */
  readonly serve: (config: LocalConfig) => void
  readonly close: () => Promise<void>
}

/** Opens a server that evaluates with one config, for requests of this computer. */
export function openDevServer({
  port,
  origins = [],
  config,
  onReport,
  onNotice
}: DevServerOptions): Promise<DevServer> {
  return openWithDisposer(async (disposer) => {
    const options = {
      ...parseOptions(['--port', String(port), '--host', '127.0.0.1'], {}),
      // For load, which a developer's computer has none of.
      ofrepRateLimit: 0,
      maxStreamsPerNetwork: 0
    }
    const log = createMessageLogger(onNotice)
    const replica = await openReplica({
      options,
      dependencies: {},
      log,
      isWritable: () => true,
      acceptKeys: acceptAnyKey,
      disposer
    })
    const { configs, lifecycle, now } = replica
    let current = config
    let versionAt = 0
    const serve = (next: LocalConfig) => {
      // SDKs ignore versions that are not newer.
      const lastModified = Math.max(Math.floor(now() / 1000), versionAt + 1)
      // No one signs users here.
      const environment = { ...next.environment, hasSignedUsers: false }
      configs.set('local', { ...next, lastModified, environment, keys: localKeys })
      versionAt = lastModified
      current = next
    }
    serve(config)
    const listening = replica.listen({
      append: async (entry) => {
        for (const report of onReport ? reportsOf(entry, current) : []) onReport?.(report)
      },
      warn: onNotice,
      health: {
        findProblem: () => undefined,
        findWriteProblem: () => undefined,
        describeConfigs: () => ({ status: 'ok', configAgeSeconds: 0 })
      },
      fallback: refuseOthers,
      applicationUsers: { findProperties: async () => undefined, findChoices: async () => undefined },
      guard: (listener) => refuseOthersThan(origins, listener)
    })
    const { url } = await listening.catch((error: unknown) => {
      throw error instanceof OptionError ? toPortError(port, error) : error
    })
    lifecycle.start()
    return { url, serve, close: lifecycle.close }
  })
}

/**
 * Refuses requests for the host name of another computer, and of pages of other origins. Since any SDK key is accepted,
 * a page on the internet could otherwise read the config: with the permission that CORS headers give to all pages, or
 * with a name that is resolved to this computer (DNS rebinding).
 */
function refuseOthersThan(origins: readonly string[], listener: RequestListener): RequestListener {
  return (request, response) => {
    const { host = '', origin } = request.headers
    if (!isLocal(`http://${host}`)) {
      sendPlainError(response, 421, `burgee dev answers requests to localhost only, got ${JSON.stringify(host)}`)
    } else if (origin !== undefined && !isLocal(origin) && !origins.includes(origin)) {
      sendPlainError(
        response,
        403,
        `burgee dev answers pages of localhost only, got origin ${JSON.stringify(origin)}: add it with --origin`
      )
    } else listener(request, response)
  }
}

/** True for addresses of this computer; browsers resolve names that end in `.localhost` to it. */
function isLocal(address: string): boolean {
  if (!URL.canParse(address)) return false
  const { hostname } = new URL(address)
  return isLoopback(hostname) || hostname.endsWith('.localhost')
}

function toPortError(port: number, { cause }: OptionError): OptionError {
  const reason = hasCode(cause, 'EADDRINUSE') ? 'it is in use' : reasonOf(cause)
  return new OptionError(`cannot listen on port ${port}: ${reason}; choose another one with --port`, { cause })
}

/** @throws {HttpError} 404 */
function refuseOthers(): never {
  throw notFound('burgee dev serves evaluations, configs, streams and events; send other requests to a server')
}

/** Returns the evaluations and events of an entry, with keys instead of ids. */
function reportsOf({ counts, reports }: EventEntry, config: LocalConfig): readonly DevServerReport[] {
  const features = new Map(config.configs.flatMap((each) => each.config.features).map((each) => [each._id, each]))
  const evaluations = counts.map(({ variable, feature: id = '', variation, count }): DevServerReport => {
    const feature = features.get(id)
    const served = feature?.variations.find(({ _id }) => _id === variation)
    return { type: 'evaluation', variable, feature: feature?.key, variation: served?.key, count }
  })
  const events = reports.flatMap(({ user, events: reported }) =>
    reported.map(({ type, customType, target, value }): DevServerReport => {
      return { type: 'event', name: customType ?? type, user: user.user_id, target, value }
    })
  )
  return [...evaluations, ...events]
}
