import { Link } from '@tanstack/react-router'
import { Section } from '../Page.tsx'
import { useWaitingReviews } from './useWaitingReviews.ts'
import styles from './WaitingProjects.module.css'

interface Props {
  readonly org: string
  readonly title: string
  /** The key of a project that is left out: the one of the page. */
  readonly except?: string
}

/** The projects with change requests that wait for the person, each with a link to them. Renders nothing without any. */
export function WaitingProjects({ org, title, except }: Props) {
  const rows = useWaitingReviews().filter(({ project: { key, id } }) => key !== except && id !== except)
  if (rows.length === 0) return null
  return (
    <Section title={title}>
      <ul className={styles.projects}>
        {rows.map(({ project: { key, name }, count }) => (
          <li key={key}>
            <Link
              to="/o/$org/p/$project/change-requests"
              params={{ org, project: key }}
              search={{ status: 'pending', reviewer: 'me' } as never}
              className={styles.project}
            >
              {count === 1 ? '1 change request' : `${count} change requests`} in <bdi>{name}</bdi>
            </Link>
          </li>
        ))}
      </ul>
    </Section>
  )
}
