import { Link } from '@tanstack/react-router'
import { ChevronsUpDown } from 'lucide-react'
import { useRead } from '../api/query.ts'
import { useSession } from '../api/session.ts'
import { Badge } from '../components/Badge.tsx'
import { useWaitingReviews } from '../components/feature/useWaitingReviews.ts'
import { Menu, MenuItem, MenuSeparator } from '../components/Menu.tsx'
import styles from './Switches.module.css'

/** The project of the page, and a menu of the others. */
export function ProjectSwitch({ project }: { readonly project: string | undefined }) {
  const { organization } = useSession()
  const { data: projects = [] } = useRead('listProjects', { query: { perPage: 100 } })
  const waiting = useWaitingReviews()
  const waitingFor = (wanted: string) => waiting.find(({ project: { key } }) => key === wanted)?.count ?? 0
  const elsewhere = waiting.reduce((sum, { project: { key }, count }) => (key === project ? sum : sum + count), 0)
  const current = projects.find(({ key }) => key === project)
  return (
    <Menu
      trigger={
        <button type="button" className={`${styles.switch} ${styles.project}`}>
          <span className="visually-hidden">Project: </span>
          <span className={styles.name}>{current?.name ?? project ?? 'All projects'}</span>
          {project !== undefined && elsewhere > 0 && (
            <span className={styles.elsewhere}>
              <Badge tone="waiting">
                {elsewhere}
                <span className="visually-hidden"> waiting for you in other projects</span>
              </Badge>
            </span>
          )}
          <ChevronsUpDown size={14} aria-hidden="true" />
        </button>
      }
    >
      {projects.map(({ key, name }) => (
        <MenuItem
          key={key}
          isCurrent={key === project}
          link={<Link to="/o/$org/p/$project/features" params={{ org: organization.id, project: key }} />}
        >
          {name}
          {waitingFor(key) > 0 && <Badge tone="waiting">{waitingFor(key)} waiting for you</Badge>}
        </MenuItem>
      ))}
      <MenuSeparator />
      <MenuItem link={<Link to="/o/$org/settings/projects" params={{ org: organization.id }} />}>All projects</MenuItem>
    </Menu>
  )
}
