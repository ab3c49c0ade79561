import { useQuery } from '@tanstack/react-query'
import { useParams } from '@tanstack/react-router'
import { read, useRead } from '../../api/query.ts'

/** The addresses of the audience that the page is about. */
export function useAudienceParams(): { readonly org: string; readonly project: string; readonly key: string } {
  const { org = '', project = '', audience = '' } = useParams({ strict: false })
  return { org, project, key: audience }
}

/** The audience that the page is about. The response is kept unchanged, because its revision belongs to it. */
export function useAudience() {
  const { project, key } = useAudienceParams()
  return useQuery({ ...read('getAudience', { params: { project, key } }), structuralSharing: false })
}

/** All audiences of a project. */
export function useAudiences(project: string) {
  return useRead('listAudiences', { params: { project }, query: { perPage: 1000, includeUsage: 'true' } })
}

/** The custom properties of a project. */
export function useCustomProperties(project: string) {
  return useRead('listCustomProperties', { params: { project }, query: { perPage: 1000 } })
}
