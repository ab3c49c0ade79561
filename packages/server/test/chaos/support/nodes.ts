import { addCleanup } from '@burgee/testing/cleanup'
import { startOwnCluster } from '@burgee/testing/postgres/startCluster'
import { freePort } from '@burgee/testing/system/freePort'
import { temporaryDirectory } from '@burgee/testing/temporaryDirectory'
import { fillChaosStore } from './chaosStore.ts'
import { type ProcessOptions, type ServerProcess, startProcess } from './serverProcess.ts'

/** The servers of one store. */
export interface Nodes {
  /** The port of the main server, whose address is the public one of all, so that tokens are valid at each. */
  readonly port: number
  /** Returns how to start a server of the store; by default on a free port. */
  readonly optionsFor: (given?: Partial<ProcessOptions>) => ProcessOptions
  readonly start: (given?: Partial<ProcessOptions>) => Promise<ServerProcess>
}

/** Creates an empty store of a kind, and returns its directory or the address of its database. */
export async function createStore(kind: string): Promise<string> {
  if (kind === 'file') return temporaryDirectory()
  const cluster = await startOwnCluster()
  addCleanup(cluster.stop)
  return cluster.url
}

/** Fills an empty store, and returns what starts its servers. */
export async function prepareNodes(directory: string): Promise<Nodes> {
  await fillChaosStore(directory)
  const port = await freePort()
  const cacheDirectory = await temporaryDirectory()
  const optionsFor = (given: Partial<ProcessOptions> = {}): ProcessOptions => ({
    directory,
    ...given,
    environment: { BURGEE_CACHE_DIRECTORY: cacheDirectory, ...given.environment },
    args: ['--public-url', `http://127.0.0.1:${port}`, '--store-poll-ms', '200', ...(given.args ?? [])]
  })
  return { port, optionsFor, start: (given) => startProcess(optionsFor(given)) }
}
