import { useMemo } from 'react'
import { useRead } from './query.ts'

/**
 * How many places in code read each variable of a project, by its key, as the last scans found them; undefined in projects
 * that have received no scan.
 */
export function useCodeReads(project: string): ReadonlyMap<string, number> | undefined {
  const isScanned = useRead('getProject', { params: { key: project } }).data?.hasReceivedCodeUsages === true
  const usages = useRead(
    'listCodeUsages',
    { params: { project }, query: { current: 'true', perPage: 1000 } },
    { enabled: isScanned }
  ).data
  return useMemo(() => {
    if (!usages) return undefined
    const counts = new Map<string, number>()
    for (const { key, references } of usages) counts.set(key, (counts.get(key) ?? 0) + references.length)
    return counts
  }, [usages])
}

/** How many places in code read the variables of each feature, by its id; undefined as above. */
export function useFeatureReads(project: string): ReadonlyMap<string, number> | undefined {
  const reads = useCodeReads(project)
  const request = { params: { project }, query: { perPage: 1000 } }
  const variables = useRead('listVariables', request, { enabled: reads !== undefined }).data
  return useMemo(() => {
    if (!reads || !variables) return undefined
    const counts = new Map<string, number>()
    for (const { key, _feature } of variables) {
      if (_feature !== undefined) counts.set(_feature, (counts.get(_feature) ?? 0) + (reads.get(key) ?? 0))
    }
    return counts
  }, [reads, variables])
}

/** The words for a number of places. */
export function describePlaces(count: number): string {
  return count === 1 ? '1 place' : `${count} places`
}
