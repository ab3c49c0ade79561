import { type PeopleNames, personName } from '../../components/Actor.tsx'
import { Badge } from '../../components/Badge.tsx'
import { Section } from '../../components/Page.tsx'
import { Time } from '../../components/Time.tsx'
import styles from './Requests.module.css'
import type { AnyRequest } from './useRequestActions.ts'

/** Who reviewed a request, and who was asked to. */
export function Reviews({ request, names }: { readonly request: AnyRequest; readonly names: PeopleNames }) {
  const { reviews, reviewers, contentHash } = request
  const asked = reviewers.users.filter((id) => !reviews.some(({ idp_user }) => idp_user === id))
  if (reviews.length + asked.length === 0) return null
  return (
    <Section title="Reviews">
      <ul className={styles.reviews}>
        {reviews.map(({ idp_user, action, comment, createdAt, contentHash: reviewed }) => (
          <li key={`${idp_user} ${createdAt}`} className={styles.review}>
            <p className={styles.facts}>
              <Badge tone={action === 'approved' ? 'live' : 'danger'}>{action}</Badge>
              <span>
                <bdi>{personName(idp_user, names)}</bdi>, <Time value={createdAt} />
              </span>
              {reviewed !== contentHash && <span className={styles.soft}>an earlier version</span>}
            </p>
            {comment !== '' && <p className={styles.comment}>{comment}</p>}
          </li>
        ))}
        {asked.map((id) => (
          <li key={id} className={styles.review}>
            <p className={styles.facts}>
              <Badge tone="off">review requested</Badge>
              <bdi>{personName(id, names)}</bdi>
            </p>
          </li>
        ))}
      </ul>
    </Section>
  )
}
