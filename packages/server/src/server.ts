import { readFileSync } from 'node:fs'
import type { Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { openApi } from '@burgee/contract'
import { openConfigs } from './configs/configs.ts'
import { type Demo, setUpDemo } from './demo/demo.ts'
import { openEventLog } from './events/openEventLog.ts'
import { createHandlers } from './handlers/handlers.ts'
import { createApp } from './http/app.ts'
import { createLimit } from './http/limit.ts'
import { listen, stop } from './http/listen.ts'
import { operational } from './http/operational.ts'
import { routes } from './http/routes.ts'
import { type Ids, randomIds } from './id.ts'
import { createLog, type Logger } from './log.ts'
import { createMetrics } from './metrics.ts'
import { Opened } from './opened.ts'
import type { Options } from './options.ts'
import { reportProblems } from './problems.ts'
import { directoryOf, openStore } from './store/openStore.ts'

/** What a server takes from the world around it; each has a real default. */
export interface World {
  readonly now?: () => number
  readonly ids?: Ids
  readonly log?: Logger
}

/** A server that is up. */
export interface RunningServer {
  /** As in `http://127.0.0.1:8080`. */
  readonly url: string
  /** The demo project, when one was asked for. */
  readonly demo: Demo | undefined
  /**
   * Gives the requests under way up to eight seconds to finish, then lets go of everything. Calling it again does nothing more. For `lingerMs`
   * milliseconds before that it goes on answering, and tells every caller that it is about to stop.
   */
  readonly close: (options?: { readonly lingerMs?: number }) => Promise<void>
}

/**
 * Starts a server: opens the store, compiles its environments, listens.
 * @throws {StoreOpenError} when the store cannot be opened as it is.
 */
export async function startServer(options: Options, world: World = {}): Promise<RunningServer> {
  const { now = Date.now, ids = randomIds, log = createLog(options.logLevel) } = world
  const opened = new Opened()
  try {
    const store = await openStore(options.store, { onNotice: (message) => log.warn(message) })
    opened.add(() => store.close())
    const events = await openEventLog(directoryOf(options.store))
    opened.add(() => events.close())
    const demo = options.demo ? await setUpDemo(store, { now, ids }) : undefined
    const metrics = createMetrics(() => configs.size())
    const configs = await openConfigs(store, reportProblems(log, metrics))
    opened.add(configs.close)

    const handlers = createHandlers({ store, events, ids, now, onEvents: (count) => metrics.events.inc(count) })
    const limit = createLimit(options.ofrepRateLimit, now)
    let { publicUrl } = options
    let lingerMs: number | undefined
    const isStopping = () => lingerMs !== undefined
    const app = createApp({
      log,
      metrics,
      isStopping,
      operational: operational({
        store,
        metrics,
        isStopping,
        document: () => openApi(version(), publicUrl)
      }),
      routes: routes({ handlers, configs, limit })
    })
    const server = await listen(app.callback(), options)
    opened.add(() => stop(server, lingerMs ?? 0))
    const url = addressOf(server)
    publicUrl ||= url
    const close: RunningServer['close'] = (stopping = {}) => {
      lingerMs ??= stopping.lingerMs ?? 0
      return opened.close()
    }
    return { url, demo, close }
  } catch (error) {
    await opened.close()
    throw error
  }
}

function addressOf(server: Server): string {
  // A server that listens on a port has an address of this form.
  const { address: host, port } = server.address() as AddressInfo
  return `http://${host.includes(':') ? `[${host}]` : host}:${port}`
}

function version(): string {
  const manifest = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8'))
  return manifest.version
}
