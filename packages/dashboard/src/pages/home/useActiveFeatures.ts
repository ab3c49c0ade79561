import { useRead } from '../../api/query.ts'

/** The features of a project that can be evaluated and changed. */
export function useActiveFeatures(project: string) {
  return useRead('listFeatures', { params: { project }, query: { status: 'active', perPage: 1000 } })
}
