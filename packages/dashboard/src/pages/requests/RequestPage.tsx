import type { ChangeRequest, Feature } from '@burgee/contract/schemas'
import { Link, useParams } from '@tanstack/react-router'
import { useState } from 'react'
import { useRead } from '../../api/query.ts'
import { type PeopleNames, personName, usePeopleNames } from '../../parts/Actor.tsx'
import { Button } from '../../parts/Button.tsx'
import { Changes } from '../../parts/diff/Changes.tsx'
import { useDiffContext } from '../../parts/diff/useDiffContext.ts'
import { Section } from '../../parts/Page.tsx'
import { Banner, Loaded } from '../../parts/States.tsx'
import { formatMoment, Time } from '../../parts/Time.tsx'
import { FitLine } from './FitLine.tsx'
import { RequestActions } from './RequestActions.tsx'
import styles from './Requests.module.css'
import { Reviews } from './Reviews.tsx'
import { StatusBadge } from './StatusBadge.tsx'
import { type Fit, fitOf } from './staleness.ts'

/** One change request: what it changes, whether it still fits, who reviewed it, and the decision. */
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
  const fit = useFit(project, feature, request)
  const [seen, setSeen] = useState(request.contentHash)
  const isEdited = seen !== request.contentHash
  return (
    <article className={styles.article}>
      <RequestHead org={org} project={project} request={request} names={names} />
      <RequestNotes request={request} names={names} />
      {isOpen(request) && <FitLine fit={fit} names={names} author={personName(request._createdBy, names)} />}
      {isEdited && (
        <Banner tone="danger">
          This request was changed while you read it. What follows is the new content.
          <Button onClick={() => setSeen(request.contentHash)}>I have read it</Button>
        </Banner>
      )}
      <Section title="What changes">
        <Changes changes={request.changes} context={context} />
      </Section>
      <Reviews request={request} names={names} />
      <RequestActions
        project={project}
        feature={feature}
        request={request}
        context={context}
        isStale={fit?.fits === false}
        isEdited={isEdited}
      />
    </article>
  )
}

/** Whether a request is still to be decided or applied. */
function isOpen({ status }: ChangeRequest): boolean {
  return status === 'draft' || status === 'pending' || status === 'approved'
}

/** The newest changes of the feature that are compared with the base of a request. */
const COMPARED = 100

function useFit(project: string, { _id }: Feature, request: ChangeRequest): Fit | undefined {
  const params = { project, feature: _id }
  const { data } = useRead('getFeatureAudit', { params, query: { perPage: COMPARED } }, { enabled: isOpen(request) })
  return data && fitOf(request, data, data.length < COMPARED)
}

interface HeadProps {
  readonly org: string
  readonly project: string
  readonly request: ChangeRequest
  readonly names: PeopleNames
}

function RequestHead({ org, project, request, names }: HeadProps) {
  const { description, status, _createdBy, createdAt, assistant } = request
  return (
    <header className={styles.head}>
      <p className={styles.back}>
        <Link to={`/o/${org}/p/${project}/change-requests` as string}>← Change requests</Link>
      </p>
      <h2 className={styles.description}>
        <bdi>{description || 'Change request without a description'}</bdi>
      </h2>
      <p className={styles.facts}>
        <StatusBadge status={status} />
        <span>
          {assistant ? `Assistant (${assistant}) for ` : 'By '}
          <bdi>{personName(_createdBy, names)}</bdi>, <Time value={createdAt} />
        </span>
      </p>
    </header>
  )
}

/** What else there is to know: when it is applied, why that failed, and that it skipped approval. */
function RequestNotes({ request, names }: { readonly request: ChangeRequest; readonly names: PeopleNames }) {
  const { applyAt, scheduleFailure, emergency, status } = request
  return (
    <>
      {applyAt !== undefined && status === 'approved' && (
        <Banner tone="brand">
          Scheduled for {formatMoment(applyAt)} ({applyAt.slice(0, 16).replace('T', ' ')} UTC).
        </Banner>
      )}
      {scheduleFailure !== undefined && (
        <Banner tone="danger">The scheduled application failed: {scheduleFailure}</Banner>
      )}
      {emergency && (
        <Banner tone="danger">
          Applied in an emergency by {personName(emergency.idp_user, names)}: {emergency.reason}
        </Banner>
      )}
    </>
  )
}
