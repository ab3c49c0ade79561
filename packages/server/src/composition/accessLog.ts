import { type AccessRecorder, createAccessRecorder } from '../access/accessLog/accessRecorder.ts'
import type { Options } from '../cli/options.ts'
import type { Disposer } from '../lib/disposer.ts'
import type { IdGenerator } from '../lib/idGenerator.ts'
import type { Logger } from '../lib/logger.ts'
import type { AccessLog } from '../storage/accessLog/accessLog.ts'
import { openAccessLog } from '../storage/open/openAccessLog.ts'
import type { StoreLocation } from '../storage/open/openStore.ts'
import type { StoredOrganization } from '../storage/resources/organization.ts'
import type { Store } from '../storage/store.ts'
import { createOtlpLogs } from '../telemetry/otlpLogs.ts'

interface Dependencies {
  readonly options: Options
  readonly now: () => number
  readonly ids: IdGenerator
  readonly log: Logger
  readonly store: Store
  /** Where the store has its data. */
  readonly location: StoreLocation
  readonly organization: StoredOrganization
  /** Throws if another process has taken over the store, which also contains the access log. */
  readonly assertOwned: () => Promise<void>
  /** The version of the server. */
  readonly serverVersion: string
  /** Closes the opened services. */
  readonly disposer: Pick<Disposer, 'defer'>
}

/** The access log and its writer. */
export interface AccessLogServices {
  readonly accessLog: AccessLog
  readonly accessRecorder: AccessRecorder
}

/** Opens the access log and its recorder. The recorder closes first, and writes its counts. */
export async function openAccessLogServices(dependencies: Dependencies): Promise<AccessLogServices> {
  const { options, location, organization, log, disposer, serverVersion, ...parts } = dependencies
  const accessLog = await openAccessLog(location, {
    ...parts,
    retention: options.accessRetentionDays,
    onNotice: (message) => log.warn(message),
    onInfo: (message) => log.info(message)
  })
  disposer.defer(() => accessLog.close())
  const { accessLogOtlpEndpoint: endpoint } = options
  const otlp = endpoint === '' ? undefined : createOtlpLogs({ endpoint, serverVersion, log })
  if (otlp) disposer.defer(otlp.close)
  const accessRecorder = createAccessRecorder({
    ...parts,
    accessLog,
    log,
    organization: organization.key,
    onEntry: otlp && (({ date, outcome, ...attributes }) => otlp.emit({ date, outcome, attributes }))
  })
  disposer.defer(accessRecorder.close)
  return { accessLog, accessRecorder }
}
