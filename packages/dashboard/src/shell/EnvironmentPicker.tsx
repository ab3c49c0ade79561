import { isProtected } from '@burgee/contract/words'
import { ChevronsUpDown, Shield } from 'lucide-react'
import { useEnvironment } from '../api/useEnvironment.ts'
import { Protected } from '../components/Badge.tsx'
import { Menu, MenuItem } from '../components/Menu.tsx'
import styles from './Switches.module.css'

/** The environment that pages show, and a menu of the others. */
export function EnvironmentPicker({ project }: { readonly project: string }) {
  const { environments, environment, choose } = useEnvironment(project)
  if (!environment) return null
  const isShielded = isProtected(environment)
  return (
    <Menu
      trigger={
        <button type="button" className={`${styles.switch} ${isShielded ? styles.protected : ''}`}>
          <span className="visually-hidden">Environment: </span>
          {isShielded && <Shield size={14} aria-label="protected" />}
          <span className={styles.name}>{environment.name}</span>
          <ChevronsUpDown size={14} aria-hidden="true" />
        </button>
      }
    >
      {environments.map((item) => (
        <MenuItem key={item._id} isCurrent={item.key === environment.key} onSelect={() => choose(item.key)}>
          <span className={styles.dot} style={{ background: item.color ?? 'var(--edge)' }} aria-hidden="true" />
          {item.name}
          {isProtected(item) && <Protected />}
        </MenuItem>
      ))}
    </Menu>
  )
}
