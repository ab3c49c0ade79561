// Only lists without rows load this code.
import type { Environment } from '@burgee/contract/schemas'
import { Button } from '../../components/Button.tsx'
import { Snippet } from '../../components/Copy.tsx'
import { DocsLink } from '../../components/links/DocsLink.tsx'
import { NpmNote } from '../../components/links/NpmNote.tsx'
import { Empty } from '../../components/States.tsx'
import { describeListFilters } from './filterWords.ts'
import type { ListSearch } from './listSearch.ts'
import { NewFeature, type ProjectProps } from './NewFeature.tsx'

/** What the list of a project without features says. */
export function NoFeatures({ org, project }: ProjectProps) {
  return (
    <Empty
      title="Features control what users get, without a deployment."
      action={<NewFeature org={org} project={project} />}
    >
      <p>
        Create one here, or from a terminal. <DocsLink page="guides/manage-flags.md">How to manage flags</DocsLink>
      </p>
      <Snippet
        label="Create a feature from a terminal"
        text={`npx burgee features create --project ${project} --key new-checkout --name "New checkout"`}
      />
      <NpmNote />
    </Empty>
  )
}

interface NoMatchProps {
  readonly search: ListSearch
  readonly environment: Environment | undefined
  readonly onClear: () => void
}

/** What the list says when the filters leave no feature. */
export function NoMatch({ search, environment, onClear }: NoMatchProps) {
  return (
    <Empty
      title={`No feature matches ${describeListFilters(search, environment?.name)}.`}
      action={<Button onClick={onClear}>Clear filters</Button>}
    />
  )
}
