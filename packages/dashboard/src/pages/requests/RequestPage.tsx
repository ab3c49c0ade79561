import type { ChangeRequest, Feature } from '@burgee/contract/schemas'
import { useParams } from '@tanstack/react-router'
import { useState } from 'react'
import { ChangePreview, ChangeSummary } from '../../actions/ChangePreview.tsx'
import { useRead } from '../../api/query.ts'
import { usePermission } from '../../api/session.ts'
import { useEnvironments } from '../../api/useEnvironments.ts'
import { usePeopleNames } from '../../components/Actor.tsx'
import { Button } from '../../components/Button.tsx'
import { Changes } from '../../components/diff/Changes.tsx'
import { useDiffContext } from '../../components/diff/useDiffContext.ts'
import { Section } from '../../components/Page.tsx'
import { Banner, Loaded } from '../../components/States.tsx'
import { BaseNotice } from './base/BaseNotice.tsx'
import { type BaseComparison, compareWithBase } from './base/compareWithBase.ts'
import { RequestHead, RequestNotes } from './head/RequestHead.tsx'
import { RequestActions } from './RequestActions.tsx'
import styles from './Requests.module.css'
import { Reviews } from './Reviews.tsx'
import type { AnyRequest } from './useRequestActions.ts'

/** One change request: what it changes, whether it is up to date, who reviewed it, and the decision. */
export function RequestPage() {
  const { org = '', project = '', feature = '', request: id = '' } = useParams({ strict: false })
  const loadedFeature = useRead('getFeature', { params: { project, feature } })
  const request = useRead('getChangeRequest', { params: { project, feature, id } })
  return (
    <Loaded query={loadedFeature} title="The feature could not be loaded">
      {(ofFeature) => (
        <Loaded query={request} title="The change request could not be loaded">
          {(loaded) => <Request key={loaded._id} org={org} project={project} feature={ofFeature} request={loaded} />}
        </Loaded>
      )}
    </Loaded>
  )
}

interface Props {
  readonly org: string
  readonly project: string
  readonly feature: Feature
  readonly request: ChangeRequest
}

function Request({ org, project, feature, request }: Props) {
  const context = useDiffContext(project, feature)
  const names = usePeopleNames()
  const { comparison, isUnchecked } = useBaseComparison(project, feature, request)
  const [readHash, setReadHash] = useState(request.contentHash)
  const isEdited = readHash !== request.contentHash
  const affected = { project, feature, request }
  const reviews = <Reviews request={request} names={names} />
  return (
    <article className={styles.article}>
      <RequestHead org={org} project={project} feature={feature.key} request={request} names={names} />
      <RequestNotes request={request} names={names} />
      {isOpen(request) && (
        <BaseNotice
          comparison={comparison}
          isUnchecked={isUnchecked}
          request={request}
          names={names}
          context={context}
        />
      )}
      {isEdited && (
        <Banner tone="danger">
          This request was changed while you read it. The new content is below.
          <Button onClick={() => setReadHash(request.contentHash)}>I have read it</Button>
        </Banner>
      )}
      {request.status === 'rejected' && reviews}
      <Section title="What changes">
        {request.changes.length === 0 ? (
          <p>Nothing: the feature already has the requested state. You can cancel the request.</p>
        ) : (
          <Changes changes={request.changes} context={context} />
        )}
      </Section>
      {isOpen(request) && (
        <Section title="Affected users">
          <AffectedUsers {...affected} />
        </Section>
      )}
      {request.status !== 'rejected' && reviews}
      <RequestActions
        project={project}
        feature={feature}
        request={request}
        context={context}
        isStale={comparison?.isUpToDate === false}
        isUnchecked={isUnchecked}
        readHash={readHash}
        onRead={setReadHash}
        summary={isOpen(request) && <AffectedUsers {...affected} isSummary />}
      />
    </article>
  )
}

interface AffectedProps {
  readonly project: string
  readonly feature: Feature
  readonly request: ChangeRequest
  /** Whether the share of users is enough, where the page has little room. */
  readonly isSummary?: boolean
}

/** Who would get another variation where the request changes something, were it applied now. */
function AffectedUsers({ project, feature, request, isSummary = false }: AffectedProps) {
  const environments = useEnvironments(project).data
  const mayPreview = usePermission('feature:write', project)
  if (!mayPreview) {
    if (isSummary) return null
    return <p className={styles.soft}>Computing this needs the permission to change features.</p>
  }
  if (!environments) return null
  const changed = new Set(request.changes.flatMap(({ _environments = [] }) => _environments))
  const Preview = isSummary ? ChangeSummary : ChangePreview
  return (
    <Preview
      project={project}
      feature={feature}
      change={{ changeRequest: { id: request._id, contentHash: request.contentHash } }}
      environments={changed.size === 0 ? environments : environments.filter(({ _id }) => changed.has(_id))}
    />
  )
}

/** Whether a request is still to be decided or applied. */
export function isOpen({ status }: AnyRequest): boolean {
  return status === 'draft' || status === 'pending' || status === 'approved'
}

/** The newest changes of the feature that are compared with the base of a request. */
const COMPARED = 100

function useBaseComparison(project: string, { _id }: Feature, request: ChangeRequest) {
  const params = { project, feature: _id }
  const query = { perPage: COMPARED }
  const { data, isLoading } = useRead('getFeatureAudit', { params, query }, { enabled: isOpen(request) })
  const comparison: BaseComparison | undefined = data && compareWithBase(request, data, data.length < COMPARED)
  return { comparison, isUnchecked: isLoading }
}
