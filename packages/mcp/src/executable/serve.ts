import { randomBytes } from 'node:crypto'
import { createRateLimiter } from '@burgee/kit/rateLimiter'
import type { McpServerContext } from '../connection/context.ts'
import { openAccount } from '../login/account.ts'
import type { SignIns } from '../login/credentials.ts'
import { serveOverStdio } from '../server/stdio.ts'
import type { Options } from '../settings/settings.ts'
import type { ToolSettings } from '../settings/toolSettings.ts'
import { createLog } from './log.ts'

/**
 * Serves assistants until the client disconnects or SIGTERM or SIGINT arrives.
 * @throws {SignInError} without credentials.
 */
export async function serve(options: Options, file: SignIns): Promise<void> {
  // A closed log must not stop the server.
  process.stderr.on('error', () => {})
  const write = (text: string) => void process.stderr.write(text)
  const log = createLog({ write, now: Date.now, isVerbose: options.debug })
  const stopped = new Promise<void>((resolve) => {
    for (const signal of ['SIGTERM', 'SIGINT'] as const) {
      process.on(signal, () => {
        log.debug({}, 'signal received: stopping')
        resolve()
      })
    }
  })
  if (options.http) {
    const { serveOverHttp } = await import('../http/httpServer.ts')
    const { consume: rateLimit } = createRateLimiter(options.rateLimit)
    await serveOverHttp(options, { ...createContext(options, 'Remote', log), rateLimit }, stopped)
  } else {
    const account = await openAccount(options, file, Date.now)
    const context = createContext({ ...options, project: account.project }, 'Local', log)
    log.debug({ server: options.apiUrl, project: account.project }, 'serving over standard input and output')
    await Promise.race([serveOverStdio(context, account), stopped])
  }
  // A refresh token works once: its successor must be on disk before the process ends.
  await file.idle()
}

function createContext(
  options: Options,
  kind: McpServerContext['kind'],
  log: McpServerContext['log']
): McpServerContext {
  const { apiUrl, confirm, readOnly, categories, noSdkKeys, project, dashboardUrl } = options
  const settings: ToolSettings = { confirm, readOnly, categories, sdkKeys: !noSdkKeys, project, dashboardUrl }
  return {
    kind,
    api: { url: apiUrl },
    serverUrl: apiUrl,
    settings,
    confirmationKey: randomBytes(32),
    log,
    now: Date.now
  }
}
