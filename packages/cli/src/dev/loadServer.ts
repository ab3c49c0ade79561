import { hasCode } from '@burgee/kit/files'
import { UsageError } from '@burgee/kit/settings'

export type DevModule = typeof import('@burgee/server/dev')

/** Loads the server, which is an optional package. @throws {UsageError} if it is not installed, or too old. */
export async function loadServer(): Promise<DevModule> {
  try {
    return await import('@burgee/server/dev')
  } catch (error) {
    if (!hasCode(error, 'ERR_MODULE_NOT_FOUND') && !hasCode(error, 'ERR_PACKAGE_PATH_NOT_EXPORTED')) throw error
    throw new UsageError(
      'burgee dev needs the package @burgee/server in the version of @burgee/cli: install it beside @burgee/cli with npm install --save-dev @burgee/server, or npm install --global @burgee/server',
      { cause: error }
    )
  }
}
