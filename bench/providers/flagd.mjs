import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { FlagdProvider } from '@openfeature/flagd-provider'
import { toConfig } from '../evaluations/peers/flagd.mjs'
import { clientOf } from './client.mjs'

/** flagd's provider in its in-process mode, with the flags in a file, which it watches. */
export async function prepare(workload, users) {
  // The program that starts this process creates the directory, and removes it at the end.
  const path = join(process.env.BENCH_DIRECTORY, `${workload.name}-${process.pid}.json`)
  await writeFile(path, toConfig(workload.flags))
  return clientOf(new FlagdProvider({ resolverType: 'in-process', offlineFlagSourcePath: path }), workload, users)
}
