import type { Feature } from '@burgee/contract/schemas'
import { Section } from '../../../parts/Page.tsx'
import { SdkSnippet } from '../../../parts/snippets/SdkSnippet.tsx'
import { useEnvironment } from '../../../shell/useEnvironment.ts'

/** How an application evaluates the first variable of a feature in the chosen environment. */
export function InCode({ project, feature }: { readonly project: string; readonly feature: Feature }) {
  const { environment } = useEnvironment(project)
  const [variable] = feature.variables
  if (!environment || !variable) return null
  return (
    <Section isPanel title="In code">
      <SdkSnippet project={project} environment={environment.key} variable={variable} />
    </Section>
  )
}
