import { useParams } from '@tanstack/react-router'
import { useRead } from '../../api/query.ts'

/** The addresses of the feature that the page is about. */
export function useFeatureParams(): { readonly org: string; readonly project: string; readonly feature: string } {
  const { org = '', project = '', feature = '' } = useParams({ strict: false })
  return { org, project, feature }
}

/** The feature that the page is about. */
export function useFeature() {
  const { project, feature } = useFeatureParams()
  return useRead('getFeature', { params: { project, feature } })
}
