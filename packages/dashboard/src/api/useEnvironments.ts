import { useRead } from './query.ts'

/**
 * The environments of a project, in their order. They have no SDK keys: the access log records each response with keys as
 * a secret that was shown.
 */
export function useEnvironments(project: string | undefined) {
  const request = { params: { project: project ?? '' }, query: { includeSdkKeys: 'false' } }
  return useRead('listEnvironments', request, { enabled: project !== undefined })
}
