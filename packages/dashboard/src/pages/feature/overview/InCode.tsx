import type { Feature } from '@burgee/contract/schemas'
import { Section } from '../../../parts/Page.tsx'
import { SdkSnippet } from '../../../parts/snippets/SdkSnippet.tsx'
import { useEnvironment } from '../../../shell/useEnvironment.ts'

/** How applications in the chosen environment evaluate the first variable of a feature. */
export function InCode({ project, feature }: { readonly project: string; readonly feature: Feature }) {
  const { environment } = useEnvironment(project)
  const [variable] = feature.variables
  if (!environment || !variable) return null
  return (
    <Section isPanel title={`In code, with a key of ${environment.name}`}>
      <SdkSnippet project={project} environment={environment.key} variable={variable} />
    </Section>
  )
}
