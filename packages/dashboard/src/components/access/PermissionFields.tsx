import type { Permission } from '@burgee/contract'
import { permissionWords } from '@burgee/contract/access'
import { CheckField } from '../Field.tsx'
import styles from './Access.module.css'
import { permissionGroups } from './accessWords.ts'

interface Props {
  readonly chosen: ReadonlySet<Permission>
  readonly onChange: (chosen: ReadonlySet<Permission>) => void
}

/** A choice of permissions, grouped by resource. */
export function PermissionFields({ chosen, onChange }: Props) {
  const toggle = (permission: Permission, isChosen: boolean) => {
    const next = new Set(chosen)
    if (isChosen) next.add(permission)
    else next.delete(permission)
    onChange(next)
  }
  return (
    <div className={styles.permissions}>
      {chosen.size === 0 && <p className={styles.none}>No permission is selected, so the client has none.</p>}
      {permissionGroups.map(({ title, permissions }) => (
        <fieldset key={title}>
          <legend>{title}</legend>
          {permissions.map((permission) => (
            <CheckField
              key={permission}
              label={permissionWords[permission]}
              isChecked={chosen.has(permission)}
              onChange={(isChosen) => toggle(permission, isChosen)}
            />
          ))}
        </fieldset>
      ))}
    </div>
  )
}
