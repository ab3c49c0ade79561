import type { Feature } from '@burgee/contract/schemas'
import { Link } from '@tanstack/react-router'
import { describePlaces, useCodeReads } from '../../../api/useCodeReads.ts'
import { useEnvironment } from '../../../api/useEnvironment.ts'
import { Section } from '../../../components/Page.tsx'
import { SdkSnippet } from '../../../components/snippets/SdkSnippet.tsx'
import { useFeatureParams } from '../useFeature.ts'

/** How applications in the chosen environment evaluate the first variable of a feature, and how many places do. */
export function InCode({ project, feature }: { readonly project: string; readonly feature: Feature }) {
  const { environment } = useEnvironment(project)
  const [variable] = feature.variables
  const params = useFeatureParams()
  const reads = useCodeReads(project)
  if (!environment || !variable) return null
  const count = feature.variables.reduce((sum, { key }) => sum + (reads?.get(key) ?? 0), 0)
  return (
    <Section
      isPanel
      title={`In code, with a key of ${environment.name}`}
      actions={
        count > 0 && (
          <Link to="/o/$org/p/$project/features/$feature/code" params={params}>
            Read in {describePlaces(count)}
          </Link>
        )
      }
    >
      <SdkSnippet project={project} environment={environment.key} variable={variable} />
    </Section>
  )
}
