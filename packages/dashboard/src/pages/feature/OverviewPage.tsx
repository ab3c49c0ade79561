import { useFeature } from './useFeature.ts'

export function OverviewPage() {
  const { data } = useFeature()
  return <p>{data?.description}</p>
}
