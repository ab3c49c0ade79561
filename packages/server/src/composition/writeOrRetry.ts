import { every } from '@burgee/kit'
import type { Disposer } from '../lib/disposer.ts'
import type { Logger } from '../lib/logger.ts'
import { StoreUnavailableError } from '../storage/store.ts'

/**
 * Runs a write of the start. If the store cannot be written, for example on a full disk, the server starts without the
 * write and repeats it until it succeeds.
 * @param what The subject of log messages.
 */
export async function writeOrRetry(
  write: () => Promise<void>,
  what: string,
  { log, disposer }: { readonly log: Logger; readonly disposer: Pick<Disposer, 'defer'> }
): Promise<void> {
  try {
    await write()
  } catch (error) {
    if (!(error instanceof StoreUnavailableError)) throw error
    log.error({ err: error }, `${what} could not be stored; retrying`)
    const again = async () => {
      await write()
      log.info(`${what} was stored`)
      void job.stop()
    }
    // The store itself reports that it cannot be written.
    const onError = (cause: unknown) => {
      if (!(cause instanceof StoreUnavailableError)) log.error({ err: cause }, `${what} could not be stored; retrying`)
    }
    const job = every(RETRY_MS, again, { onError })
    disposer.defer(job.stop)
  }
}

const RETRY_MS = 2_000
