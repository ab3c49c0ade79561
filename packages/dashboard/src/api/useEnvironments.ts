import { useRead } from './query.ts'

/** The environments of a project, in their order. */
export function useEnvironments(project: string | undefined) {
  return useRead('listEnvironments', { params: { project: project ?? '' } }, { enabled: project !== undefined })
}
