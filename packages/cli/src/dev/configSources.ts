import { dirname, join } from 'node:path'
import { usableKeys } from '@burgee/contract/access'
import { UsageError } from '@burgee/kit/settings'
import type { LocalConfig } from '@burgee/server/dev'
import { readFiles } from '../document/read/readFiles.ts'
import { ResponseError } from '../run/failures/errors.ts'
import { exitCodes } from '../run/failures/exitCodes.ts'
import { toFailure } from '../run/failures/toFailure.ts'
import { fileNameOf } from '../run/fileNameOf.ts'
import type { RemoteEnvironment, Session } from '../run/session.ts'
import type { Terminal } from '../run/terminal.ts'
import type { DevModule } from './loadServer.ts'
import { toLocalProject } from './localProject.ts'
import type { Watched } from './watchFiles.ts'

/** Builds the config of files. @throws {UsageError} with the place of every issue. */
export async function readConfig(
  { buildConfig, LocalProjectError }: DevModule,
  paths: readonly string[],
  environment: string
): Promise<LocalConfig> {
  const { project, placeOf } = toLocalProject(await readFiles(paths), environment)
  try {
    return await buildConfig(project)
  } catch (error) {
    if (!(error instanceof LocalProjectError)) throw error
    const place = placeOf(error.kind, error.index)
    throw new UsageError(error.issues.map((issue) => `${place} ${issue}`).join('\n'), { cause: error })
  }
}

interface RemoteOptions {
  readonly terminal: Terminal
  /** Opens the session; omitted to use the saved config only. */
  readonly session?: () => Promise<Session>
}

/**
 * Follows the config of an environment of a server, and saves it for starts without the server.
 * @throws if there is none, not even a saved one.
 */
export async function followRemote(
  { followConfig, UpstreamError }: DevModule,
  remote: RemoteEnvironment,
  { terminal, session }: RemoteOptions
): Promise<Watched<LocalConfig>> {
  let isReported = false
  let onChange = () => {}
  const findKey = async (open: () => Promise<Session>, hasConfig: boolean) => {
    try {
      return await readServerKey(await open(), remote)
    } catch (error) {
      const { exit, message } = toFailure(error)
      if (!hasConfig || exit !== exitCodes.unavailable) throw error
      if (!isReported) terminal.notice(`${message}: the saved config is used until the server is available`)
      isReported = true
      return undefined
    }
  }
  const { project, environment, server } = remote
  const followed = await followConfig({
    server,
    directory: join(dirname(terminal.profiles.path), 'dev'),
    name: fileNameOf([server, project, environment]),
    ...(session && { findKey: (hasConfig: boolean) => findKey(session, hasConfig) }),
    onChange: () => onChange(),
    onNotice: terminal.notice
  }).catch((error: unknown) => {
    throw error instanceof UpstreamError ? new ResponseError(error.message, { cause: error }) : error
  })
  terminal.pendingSaves.add(followed.whenSaved)
  const first = followed.config()
  if (first) {
    return {
      current: () => followed.config() ?? first,
      start: (listener) => {
        onChange = listener.onChange
        if (followed.config() !== first) onChange()
      }
    }
  }
  throw new UsageError(
    `there is no saved config of environment ${environment} of project ${project} on ${server}: run this command once without --offline while the server is available`
  )
}

/** Returns a server key of an environment. @throws {UsageError} if the account cannot read any. */
async function readServerKey(
  { client, terminal }: Session,
  { project, environment }: RemoteEnvironment
): Promise<string> {
  const { sdkKeys } = await client.getEnvironment({ params: { project, key: environment } })
  const key = usableKeys(sdkKeys?.server ?? [], terminal.now()).at(-1)?.key
  if (key) return key
  throw new UsageError(
    `you cannot read the server keys of environment ${environment}, which burgee dev needs: ask an administrator, or pass files`
  )
}
