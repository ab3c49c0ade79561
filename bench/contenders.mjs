import { makeUsers } from './users.mjs'
import { workloads } from './workloads.mjs'

/** The engines that are measured, by the name of their file. */
export const engines = ['floor', 'burgee', 'flagd', 'devcycle']

/** A workload with its flags. */
export function workloadOf(name) {
  const { title, makeFlags, ask } = workloads[name]
  return { name, title, ask, flags: makeFlags() }
}

/**
 * An engine made ready for a workload: `inputs` are the users as it wants them, `ask(input)` is the call that is timed, and
 * `read(answer)` gives the served flags by key.
 */
export async function contender(engine, workload) {
  const { prepare } = await import(`./${engine}.mjs`)
  return prepare(workload, makeUsers())
}
