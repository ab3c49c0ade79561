import { makeUsers } from './users.mjs'
import { workloads } from './workloads.mjs'

/** The measured engines, named like their files. */
export const engines = ['floor', 'burgee', 'flagd', 'devcycle']

/** Returns a workload with its flags. */
export function workloadOf(name) {
  const { title, makeFlags, ask } = workloads[name]
  return { name, title, ask, flags: makeFlags() }
}

/**
 * Prepares an engine for a workload: `inputs` are the users in the engine's format, `ask(input)` is the timed call, and
 * `read(result)` returns the served flags by key.
 */
export async function contender(engine, workload) {
  const { prepare } = await import(`./${engine}.mjs`)
  return prepare(workload, makeUsers())
}
