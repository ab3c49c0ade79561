import type { ProjectChangeRequest } from '@burgee/contract/schemas'
import { useParams } from '@tanstack/react-router'
import { useState } from 'react'
import { useRead } from '../../../api/query.ts'
import { usePeopleNames } from '../../../components/Actor.tsx'
import { Button } from '../../../components/Button.tsx'
import { Changes } from '../../../components/diff/Changes.tsx'
import { useDiffContext } from '../../../components/diff/useDiffContext.ts'
import { operationWords } from '../../../components/feature/operationWords.ts'
import { Page, Section } from '../../../components/Page.tsx'
import { Banner, Loaded, Skeleton } from '../../../components/States.tsx'
import { RequestHead, RequestNotes } from '../head/RequestHead.tsx'
import { RequestActions } from '../RequestActions.tsx'
import styles from '../Requests.module.css'
import { Reviews } from '../Reviews.tsx'

/** One change request of the project itself: what it changes, who reviewed it, and the decision. */
export function ProjectRequestPage() {
  const { org = '', project = '', request: id = '' } = useParams({ strict: false })
  const request = useRead('getProjectChangeRequest', { params: { project, id } })
  return (
    <Page title={request.data ? operationWords[request.data.operation] : 'Change request'}>
      <Loaded query={request} title="The change request could not be loaded" skeleton={<Skeleton rows={3} />}>
        {(loaded) => <Request key={loaded._id} org={org} project={project} request={loaded} />}
      </Loaded>
    </Page>
  )
}

interface Props {
  readonly org: string
  readonly project: string
  readonly request: ProjectChangeRequest
}

function Request({ org, project, request }: Props) {
  const context = useDiffContext(project)
  const names = usePeopleNames()
  const [readHash, setReadHash] = useState(request.contentHash)
  const isEdited = readHash !== request.contentHash
  return (
    <article className={styles.article}>
      <RequestHead org={org} project={project} request={request} names={names} />
      <RequestNotes request={request} names={names} />
      {isEdited && (
        <Banner tone="danger">
          This request was changed while you read it. The new content is below.
          <Button onClick={() => setReadHash(request.contentHash)}>I have read it</Button>
        </Banner>
      )}
      <Section title="What changes">
        {request.method === 'DELETE' ? (
          <Banner tone="danger">Everything in it is deleted. This cannot be undone.</Banner>
        ) : (
          <Changes changes={request.changes} context={context} />
        )}
      </Section>
      <Reviews request={request} names={names} />
      <RequestActions
        project={project}
        request={request}
        context={context}
        isStale={false}
        readHash={readHash}
        onRead={setReadHash}
      />
    </article>
  )
}
