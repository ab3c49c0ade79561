import type { Environment } from '@burgee/contract/schemas'
import { isProtected } from '@burgee/contract/words'
import { Link, useParams } from '@tanstack/react-router'
import { useRead } from '../../api/query.ts'
import { Protected } from '../../components/Badge.tsx'
import { CopyableKey } from '../../components/Copy.tsx'
import { Page, Section } from '../../components/Page.tsx'
import { Banner, Loaded, Skeleton } from '../../components/States.tsx'
import { SdkSnippet } from '../../components/snippets/SdkSnippet.tsx'
import { DeleteEnvironment } from './DeleteEnvironment.tsx'
import { ColorDot } from './EnvironmentListPage.tsx'
import { EnvironmentSettings } from './EnvironmentSettings.tsx'
import { KeySection } from './keys/KeySection.tsx'
import { useReadonlyReason } from './useReadonlyReason.ts'

/** One environment: its keys, how applications use them, and its settings. */
export function EnvironmentPage() {
  const { org = '', project = '', environment: reference = '' } = useParams({ strict: false })
  const query = useRead('getEnvironment', { params: { project, key: reference } })
  const { data: environment } = query
  return (
    <Page
      title={environment?.name ?? reference}
      above={
        <Link to="/o/$org/p/$project/environments" params={{ org, project }}>
          ← Environments
        </Link>
      }
      beside={
        environment && (
          <>
            <ColorDot color={environment.color} />
            <CopyableKey value={environment.key} label="Copy the environment’s key" />
            {isProtected(environment) && <Protected />}
          </>
        )
      }
    >
      <Loaded query={query} title="The environment could not be loaded" skeleton={<Skeleton rows={4} height={96} />}>
        {(loaded) => <Sections key={loaded._id} environment={loaded} />}
      </Loaded>
    </Page>
  )
}

function Sections({ environment }: { readonly environment: Environment }) {
  const { project = '' } = useParams({ strict: false })
  const reason = useReadonlyReason(environment)
  return (
    <>
      {reason !== undefined && <Banner>You cannot change this environment: {reason}.</Banner>}
      {environment.sdkKeys ? (
        (['server', 'client', 'mobile'] as const).map((type) => (
          <KeySection key={type} environment={environment} type={type} keys={environment.sdkKeys?.[type] ?? []} />
        ))
      ) : (
        <Section title="SDK keys">
          <p>The keys of a protected environment are shown only to people who can change it.</p>
        </Section>
      )}
      <Section title="Use it in code">
        <SdkSnippet project={project} environment={environment.key} />
      </Section>
      <EnvironmentSettings environment={environment} />
      <DeleteEnvironment environment={environment} />
    </>
  )
}
