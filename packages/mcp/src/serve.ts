import { randomBytes } from 'node:crypto'
import { createCallLimit } from './http/callLimit.ts'
import { createLog } from './log.ts'
import { accountOf } from './login/account.ts'
import type { CredentialFile } from './login/credentialFile.ts'
import type { Options } from './options.ts'
import type { Service } from './service.ts'
import type { ToolSettings } from './settings.ts'
import { serveOverStdio } from './stdio.ts'

interface World {
  readonly file: CredentialFile
  /** Writes to standard error. */
  readonly write: (text: string) => void
  /** Calls back when somebody wants the program to end. */
  readonly onSignal: (stop: () => void) => void
}

/**
 * Serves assistants as the settings say; resolves when that is over.
 * @throws {SignInError} when there is nobody to act for.
 */
export async function serve(options: Options, { file, write, onSignal }: World): Promise<void> {
  const log = createLog({ write, now: Date.now, isVerbose: options.debug })
  const stopped = new Promise<void>((resolve) => {
    onSignal(() => {
      log.debug({}, 'a signal came: stopping')
      resolve()
    })
  })
  if (options.http) {
    const { serveOverHttp } = await import('./http/standalone.ts')
    const limit = createCallLimit(options.rateLimit, Date.now)
    await serveOverHttp(options, { ...serviceOf(options, 'Remote', log), limit }, stopped)
    return
  }
  const account = await accountOf(options, file, Date.now)
  const service = serviceOf({ ...options, project: account.project }, 'Local', log)
  log.debug({ server: options.apiUrl, project: account.project }, 'serving over standard input and output')
  await Promise.race([serveOverStdio(service, account), stopped])
}

function serviceOf(options: Options, kind: Service['kind'], log: Service['log']): Service {
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
