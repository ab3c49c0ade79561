import { Snippet } from '../../parts/Copy.tsx'
import { DocsLink } from '../../parts/links/DocsLink.tsx'
import { Empty } from '../../parts/States.tsx'
import { NewFeature, type ProjectProps } from './NewFeature.tsx'

/** What the list of a project without features says. Its code loads for such projects only. */
export function NoFeatures({ org, project }: ProjectProps) {
  return (
    <Empty title="A feature switches something on for some people." action={<NewFeature org={org} project={project} />}>
      <p>
        Create one here, or from a terminal. <DocsLink page="guides/manage-flags.md">How to manage flags</DocsLink>
      </p>
      <Snippet
        label="Create a feature from a terminal"
        text={`npx burgee features create --project ${project} --key new-checkout --name "New checkout"`}
      />
    </Empty>
  )
}
