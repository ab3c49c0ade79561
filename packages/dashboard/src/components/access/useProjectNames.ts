import { useMemo } from 'react'
import { useRead } from '../../api/query.ts'
import type { ProjectNames } from './accessWords.ts'

/** The projects that the person can read. */
export function useProjects() {
  return useRead('listProjects', { query: { perPage: 1000 } }).data ?? NONE
}

const NONE = [] as const

/** Names of the projects that the person can read. */
export function useProjectNames(): ProjectNames {
  const projects = useProjects()
  return useMemo(
    () =>
      new Map(
        projects.flatMap(({ _id, key, name }) => [
          [_id, name],
          [key, name]
        ])
      ),
    [projects]
  )
}
