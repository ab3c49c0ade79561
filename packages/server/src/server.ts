import { readFileSync } from 'node:fs'
import type { Server } from 'node:http'
import type { AddressInfo } from 'node:net'
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
import type { Options } from './options.ts'
import { reportProblems } from './problems.ts'
import { openStore } from './store/openStore.ts'

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
  /** Finishes the requests under way, then lets go of everything. Calling it again does nothing more. */
  readonly close: () => Promise<void>
}

/**
 * Starts a server: opens the store, compiles its environments, listens.
 * @throws {StoreOpenError} when the store cannot be opened as it is.
 */
export async function startServer(options: Options, world: World = {}): Promise<RunningServer> {
  const { now = Date.now, ids = randomIds, log = createLog(options.logLevel) } = world
  const metrics = createMetrics()
  const store = await openStore(options.store, { onNotice: (message) => log.warn(message) })
  const events = await openEventLog(options.store)
  const demo = options.demo ? await setUpDemo(store, { now, ids }) : undefined
  const configs = await openConfigs(store, reportProblems(log, metrics))
  metrics.configs.set(configs.size())

  let server: Server | undefined
  let isAccepting = true
  const url = () => options.publicUrl || addressOf(server)
  const handlers = createHandlers({ store, events, ids, now, onEvents: (count) => metrics.events.inc(count) })
  const app = createApp({
    log,
    metrics,
    operational: operational({ store, metrics, version: version(), publicUrl: url, isAccepting: () => isAccepting }),
    routes: routes({ handlers, configs, limit: createLimit(options.ofrepRateLimit, now) })
  })
  server = await listen(app.callback(), options)

  let closing: Promise<void> | undefined
  const close = async (): Promise<void> => {
    isAccepting = false
    if (server) await stop(server)
    configs.close()
    await events.close()
    await store.close()
  }
  return {
    url: addressOf(server),
    demo,
    close: () => {
      closing ??= close()
      return closing
    }
  }
}

function addressOf(server: Server | undefined): string {
  const address = server?.address()
  // A server that listens on a port has an address of this form.
  const { address: host, port } = (address ?? { address: '', port: 0 }) as AddressInfo
  return `http://${host.includes(':') ? `[${host}]` : host}:${port}`
}

function version(): string {
  const manifest = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8'))
  return manifest.version
}
