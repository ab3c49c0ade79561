import { execFileSync } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'

/** Clock ticks per second in /proc. */
const TICKS = 100

/** Returns the seconds of CPU time that a process has used: on its own, and in the kernel for it. */
export function cpuOf(pid) {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1].split(' ')
  return (Number(fields[11]) + Number(fields[12])) / TICKS
}

/**
 * Returns the seconds for which the main thread of a process could have run, but had no processor because of other
 * programs. Its own other threads, such as those of the garbage collector, do not count.
 */
export function waitOf(pid) {
  const threads = readdirSync(`/proc/${pid}/task`).map((thread) => {
    const [ran, waited] = readFileSync(`/proc/${pid}/task/${thread}/schedstat`, 'utf8').split(' ').map(Number)
    return Number(thread) === pid ? waited : -ran
  })
  return threads.reduce((sum, nanoseconds) => sum + nanoseconds, 0) / 1e9
}

/** Returns the process ids of a process and its children. */
export function processesOf(pid) {
  const rows = execFileSync('ps', ['-A', '-o', 'pid=,ppid='], { encoding: 'utf8' }).trim().split('\n')
  const pairs = rows.map((row) => row.trim().split(/\s+/).map(Number))
  return [pid, ...pairs.flatMap(([child, parent]) => (parent === pid ? [child] : []))]
}

/** Returns the resident bytes of a process. */
export function memoryOf(pid) {
  const [, kilobytes] = /VmRSS:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? []
  return Number(kilobytes) * 1024
}
