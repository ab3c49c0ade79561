/**
 * Returns the processor time of this process during some work, in milliseconds. A busy machine changes it little, and a
 * pause of the machine not at all.
 */
export async function cpuTime(work: () => unknown): Promise<number> {
  const before = process.cpuUsage()
  await work()
  const { user, system } = process.cpuUsage(before)
  return (user + system) / 1000
}
