import { Page } from '../../parts/Page.tsx'

export function FeatureListPage() {
  return <Page title="Features">{null}</Page>
}
